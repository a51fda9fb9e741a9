package dev.oriel.table;

import java.util.List;

/// An index of a table, as defined.
///
/// @param columns positions of its columns in the table, leading one first
public record Index(String name, Kind kind, boolean unique, List<Integer> columns) {
    public Index {
        columns = List.copyOf(columns);
    }

    /// BTREE is a tree of the store. ARRAY is a sorted array in memory, built from the table when
    /// the database is opened: for data that is mostly read.
    public enum Kind {
        BTREE,
        ARRAY
    }
}
