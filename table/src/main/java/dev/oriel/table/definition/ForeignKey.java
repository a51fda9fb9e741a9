package dev.oriel.table.definition;

import java.util.List;

/// Columns whose values, if none is NULL, are the key of a row of another table, or of the same.
///
/// @param columns positions in the table that has the key
/// @param parent number of the table that is referred to; 0 in a definition means the table itself
/// @param parentColumns positions there, of its primary key or of a unique index
/// @param deferral when it is tested
/// @param full whether either all columns are NULL, or none
/// @param deleted the columns that ON DELETE sets to NULL or their default; empty for all of them
public record ForeignKey(
        String name,
        List<Integer> columns,
        long parent,
        List<Integer> parentColumns,
        Action onDelete,
        Action onUpdate,
        Deferral deferral,
        boolean full,
        List<Integer> deleted) {
    public ForeignKey {
        deleted = List.copyOf(deleted);
        columns = List.copyOf(columns);
        parentColumns = List.copyOf(parentColumns);
    }

    /// A key of which some columns may be NULL.
    public ForeignKey(
            String name,
            List<Integer> columns,
            long parent,
            List<Integer> parentColumns,
            Action onDelete,
            Action onUpdate,
            Deferral deferral) {
        this(name, columns, parent, parentColumns, onDelete, onUpdate, deferral, false, List.of());
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

    /// The time of a test: the end of each statement, or the commit.
    public enum Deferral {
        /// The end of each statement, always.
        NOT_DEFERRABLE,
        /// The commit, unless a transaction says otherwise.
        INITIALLY_DEFERRED,
        /// The end of each statement, unless a transaction says otherwise.
        INITIALLY_IMMEDIATE
    }

    /// A foreign key, by the table that has it and by its name.
    public record Of(long child, String name) {}

    /// Whether a transaction may choose the time.
    public boolean deferrable() {
        return deferral != Deferral.NOT_DEFERRABLE;
    }

    /// Whether it is tested at the commit, unless a transaction says otherwise.
    public boolean deferred() {
        return deferral == Deferral.INITIALLY_DEFERRED;
    }

    public ForeignKey withParent(long id) {
        return new ForeignKey(
                name, columns, id, parentColumns, onDelete, onUpdate, deferral, full, deleted);
    }

    public ForeignKey withName(String other) {
        return new ForeignKey(
                other, columns, parent, parentColumns, onDelete, onUpdate, deferral, full, deleted);
    }

    public ForeignKey withDeferral(Deferral other) {
        return new ForeignKey(
                name, columns, parent, parentColumns, onDelete, onUpdate, other, full, deleted);
    }

    /// This key with other positions of its columns on both sides.
    public ForeignKey withColumns(List<Integer> own, List<Integer> others) {
        List<Integer> emptied =
                deleted.stream().map(column -> own.get(columns.indexOf(column))).toList();
        return new ForeignKey(
                name, own, parent, others, onDelete, onUpdate, deferral, full, emptied);
    }
}
