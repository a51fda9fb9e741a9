package dev.oriel.store;

/// The point at which a commit is acknowledged.
public enum Durability {
    /// After its log record was synced: survives a power cut.
    SYNC,
    /// After its log record was written: survives a crash of the process.
    WRITTEN,
    /// At once: it is written some milliseconds later, in the order of commits. A crash of the process may lose the
    /// newest commits, never an older one before a newer one. Memory databases know no other.
    ASYNC
}
