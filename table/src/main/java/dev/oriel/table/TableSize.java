package dev.oriel.table;

/// Size of a table at one moment. Expired rows that have not been removed count.
///
/// @param rows number of rows; an estimate if the table has more than 256 MB
/// @param bytes bytes of their keys and values, as they are stored
/// @param exact whether each row was read for both
public record TableSize(long rows, long bytes, boolean exact) {
    public static final TableSize NONE = new TableSize(0, 0, true);
}
