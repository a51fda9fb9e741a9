package dev.oriel.table.definition;

/// A definition in the catalog other than a table, view or sequence. Its number is one of theirs.
public sealed interface Note
        permits Comments,
                ExternalTable,
                MaterializedView,
                NamedSchema,
                Partition,
                Procedure,
                SqlFunction,
                Trigger,
                UserType {
    /// Stable number; 0 until it is assigned.
    long id();

    /// This definition with another number.
    Note withId(long other);
}
