package dev.oriel.bench;

/// Durability classes: the guarantee of an acknowledged commit. Subjects of one case are of one class.
public enum Durability {
    /// Nothing leaves the process's memory.
    MEMORY,
    /// Neither written nor synced: lost when the process dies.
    ASYNC,
    /// Written to the operating system: survives the death of the process, not a power cut.
    WRITTEN,
    /// Synced to the device.
    SYNC
}
