package dev.oriel.store.checkpoint;

/// The purpose of a checkpoint.
public enum CheckpointAim {
    /// To release log, and memory.
    COVER,

    /// On a full disk, to free all of the shadow: the new header names no slot there, unless a reader keeps a
    /// page from its place. Called by the holder of the write role.
    ROOM,

    /// In a quiet database, to free all of the shadow in the same way. Commits may come meanwhile: the log has
    /// them.
    QUIET,

    /// To mark the database as closed.
    CLOSE
}
