package dev.oriel.table;

import java.util.List;

/// An index of a table, as defined.
///
/// @param columns positions of its columns in the table, leading one first
/// @param constraint whether it is there for a UNIQUE constraint of its name
public record Index(
        String name, Kind kind, boolean unique, List<Integer> columns, boolean constraint) {
    public Index {
        columns = List.copyOf(columns);
    }

    /// An index that is no constraint.
    public Index(String name, Kind kind, boolean unique, List<Integer> columns) {
        this(name, kind, unique, columns, false);
    }

    /// BTREE is a tree of the store. ARRAY is a sorted array in memory, built from the table when
    /// the database is opened: for data that is mostly read.
    public enum Kind {
        BTREE,
        ARRAY
    }

    public Index withColumns(List<Integer> other) {
        return new Index(name, kind, unique, other, constraint);
    }
}
