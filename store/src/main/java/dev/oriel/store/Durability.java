package dev.oriel.store;

/// When a commit is acknowledged.
public enum Durability {
    /// After its log record was synced: survives a power cut.
    SYNC,
    /// After its log record was written: survives the death of the process.
    WRITTEN,
    /// At once: it is written some milliseconds later, in the order of commits. The death of the process may
    /// lose the newest commits, never an older one before a newer one. Memory databases know no other.
    ASYNC
}
