package dev.oriel.sql.syntax;

/// Kinds of objects that COMMENT ON accepts.
public enum Commented {
    TABLE,
    COLUMN,
    INDEX,
    VIEW,
    SEQUENCE,
    SCHEMA,
    CONSTRAINT
}
