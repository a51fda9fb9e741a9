package dev.oriel.sql.syntax;

/// What a comment is about.
public enum Commented {
    TABLE,
    COLUMN,
    INDEX,
    VIEW,
    SEQUENCE,
    SCHEMA
}
