package dev.oriel.sql.syntax;

/// Parts that LIKE ... INCLUDING copies in addition to names, types and NOT NULL of columns.
public enum LikePart {
    COMMENTS,
    COMPRESSION,
    CONSTRAINTS,
    DEFAULTS,
    GENERATED,
    IDENTITY,
    INDEXES,
    STATISTICS,
    STORAGE
}
