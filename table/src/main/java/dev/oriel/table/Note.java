package dev.oriel.table;

/// What the catalog holds beside tables, views and sequences. Its number is one of theirs.
public sealed interface Note permits Comments, ExternalTable, NamedSchema, UserType {
    /// Stable number; 0 where it is still to get one.
    long id();

    /// The same with another number.
    Note withId(long other);
}
