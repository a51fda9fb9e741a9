package dev.oriel.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table, as defined: immutable, and good for as long as its catalog version is.
///
/// Rows are clustered by the primary key where there is one, else by a hidden ascending row number.
///
/// @param id stable number of the table, which its trees are named after
/// @param primaryKey positions of the key's columns, leading one first; empty where there is none
public record Table(
        long id, String name, List<Column> columns, List<Integer> primaryKey, List<Index> indexes) {
    public Table {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        indexes = List.copyOf(indexes);
    }

    /// This table with other columns.
    Table withColumns(List<Column> others) {
        return new Table(id, name, others, primaryKey, indexes);
    }

    /// Position of the column `name` without regard to case, or -1.
    public int column(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /// Position of the column that has `role`, or -1. Not for [Column.Role#PLAIN].
    public int column(Column.Role role) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).role() == role) {
                return i;
            }
        }
        return -1;
    }

    /// The index `name` without regard to case, or null.
    public @Nullable Index index(String name) {
        for (Index index : indexes) {
            if (index.name().equalsIgnoreCase(name)) {
                return index;
            }
        }
        return null;
    }
}
