package dev.oriel.sql;

/// What EXPLAIN is to do.
///
/// @param analyze whether to run the statement
/// @param profile whether to look into its methods while it runs
/// @param timing whether to time operators; else they are only counted
record ExplainOptions(boolean analyze, boolean profile, boolean timing, Format format) {
    static final ExplainOptions PLAN = new ExplainOptions(false, false, true, Format.TEXT);

    enum Format {
        TEXT,
        JSON,
        HTML
    }
}
