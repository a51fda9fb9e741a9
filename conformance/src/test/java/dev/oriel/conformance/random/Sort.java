package dev.oriel.conformance.random;

import java.util.List;

/// What a [Piece] stands for: a value of a type, or a part of a query.
enum Sort {
    INTEGER("INTEGER"),
    BIGINT("BIGINT"),
    DECIMAL("DECIMAL(14, 2)"),
    DOUBLE("DOUBLE PRECISION"),
    TEXT("VARCHAR(60)"),
    BOOLEAN("BOOLEAN"),
    DATE("DATE"),
    TIMESTAMP("TIMESTAMP"),

    /// A whole number that is written out, from 0 to 4.
    SMALL(""),
    /// A pattern of LIKE that is written out.
    PATTERN(""),
    /// A query.
    QUERY(""),
    /// What stands in FROM.
    SOURCE(""),
    /// What may be left out.
    CLAUSE(""),
    /// Elements with the form between them, each of which may be left out while there is another.
    LIST(""),
    /// What is part of another form, and made smaller within only.
    PART(""),
    /// What is to stay as it is.
    FIXED("");

    static final List<Sort> NUMBERS = List.of(INTEGER, BIGINT, DECIMAL, DOUBLE);
    static final List<Sort> VALUES =
            List.of(INTEGER, BIGINT, DECIMAL, DOUBLE, TEXT, BOOLEAN, DATE, TIMESTAMP);

    /// The type's name in SQL; empty for what is no value.
    final String type;

    Sort(String type) {
        this.type = type;
    }

    boolean isValue() {
        return !type.isEmpty();
    }

    boolean isNumber() {
        return NUMBERS.contains(this);
    }

    /// Whether a difference in the last digits says nothing.
    boolean isExact() {
        return this != DOUBLE;
    }
}
