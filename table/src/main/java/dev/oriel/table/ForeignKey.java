package dev.oriel.table;

import java.util.List;

/// Columns whose values, if none is NULL, are the key of a row of another table, or of the same.
///
/// @param columns positions in the table that has the key
/// @param parent number of the table that is referred to; 0 in a definition means the table itself
/// @param parentColumns positions there, of its primary key or of a unique index
/// @param deferred whether it is tested at commit, and not at the end of each statement
public record ForeignKey(
        String name,
        List<Integer> columns,
        long parent,
        List<Integer> parentColumns,
        Action onDelete,
        Action onUpdate,
        boolean deferred) {
    public ForeignKey {
        columns = List.copyOf(columns);
        parentColumns = List.copyOf(parentColumns);
    }

    /// Action on rows that refer to a row which is removed, or whose key changes.
    public enum Action {
        /// Refused, unless no row refers to it at the end of the statement.
        NO_ACTION,
        /// Refused at once.
        RESTRICT,
        CASCADE,
        SET_NULL,
        SET_DEFAULT
    }

    ForeignKey withParent(long id) {
        return new ForeignKey(name, columns, id, parentColumns, onDelete, onUpdate, deferred);
    }
}
