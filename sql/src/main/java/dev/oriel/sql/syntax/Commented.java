package dev.oriel.sql.syntax;

/// Kinds of objects that COMMENT ON accepts.
public enum Commented {
    TABLE,
    COLUMN,
    INDEX,
    VIEW,
    MATERIALIZED_VIEW,
    SEQUENCE,
    SCHEMA,
    CONSTRAINT,
    TYPE,
    DOMAIN;

    /// The kind's name in SQL.
    String words() {
        return name().replace('_', ' ');
    }
}
