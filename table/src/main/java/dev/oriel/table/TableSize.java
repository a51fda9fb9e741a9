package dev.oriel.table;

/// Size of a table at one moment. Expired rows that have not been removed count.
///
/// @param rows number of rows
/// @param bytes bytes of their keys and values, as they are stored
/// @param exact whether they were counted rather than estimated
public record TableSize(long rows, long bytes, boolean exact) {
    static final TableSize NONE = new TableSize(0, 0, true);
}
