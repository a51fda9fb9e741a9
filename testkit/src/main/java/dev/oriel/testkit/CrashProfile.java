package dev.oriel.testkit;

/// Possible effects of a simulated crash on the files.
public enum CrashProfile {
    /// Only the process dies: every completed call keeps its effect, and the write in flight may be cut at any
    /// byte. Unsynced data stays unsynced, so that a machine crash after the recovery can still lose it.
    PROCESS_KILL,

    /// The machine dies. Each sector written since the last sync of its file holds one of its contents since then.
    /// The choice is independent of all other sectors and of the order of the writes. Unsynced sizes, creations
    /// and deletions are kept or lost.
    ATOMIC_SECTOR,

    /// Like [#ATOMIC_SECTOR], but a sector written since the last sync may also hold noise, or the beginning of one of
    /// its contents and the end of another.
    GARBAGE_SECTOR
}
