package dev.oriel.store;

/// The isolation level of a writing transaction. No level loses an update, and none reads uncommitted data.
public enum Isolation {
    /// Each statement sees all commits made before it began. The caller runs [Transaction#refresh()] before each
    /// statement, and again if it meets a changed entry.
    READ_COMMITTED,

    /// One snapshot for the whole transaction. Writing an entry that has changed since throws a
    /// [ConflictException]; two transactions that each write an entry the other has read do not conflict.
    SNAPSHOT,

    /// As if transactions ran one after the other: like SNAPSHOT, and at commit all entries read must be unchanged.
    SERIALIZABLE
}
