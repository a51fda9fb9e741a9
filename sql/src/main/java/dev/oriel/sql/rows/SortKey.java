package dev.oriel.sql.rows;

/// One of the columns that rows are sorted by.
///
/// @param column position in the row
public record SortKey(int column, boolean descending, boolean nullsFirst) {}
