package dev.oriel.table;

/// A definition in the catalog beside tables, views and sequences. Its number is one of theirs.
public sealed interface Note permits Comments, ExternalTable, NamedSchema, UserType {
    /// Stable number; 0 until it is assigned.
    long id();

    /// The same with another number.
    Note withId(long other);
}
