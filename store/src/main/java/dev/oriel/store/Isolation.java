package dev.oriel.store;

/// What a writing transaction is kept from seeing of others. No level loses an update, and none
/// sees what is not committed.
public enum Isolation {
    /// Each statement sees what was committed before it began: whoever runs statements calls
    /// [Transaction#refresh()] before each, and again where one meets a changed entry.
    READ_COMMITTED,

    /// One snapshot for the whole transaction. To write an entry that has changed since is a
    /// [ConflictException]; two transactions that each write what the other has read are not.
    SNAPSHOT,

    /// As if one transaction had run after the other: as SNAPSHOT, and at commit all that was read
    /// must still be so.
    SERIALIZABLE
}
