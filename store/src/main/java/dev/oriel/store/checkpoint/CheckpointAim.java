package dev.oriel.store.checkpoint;

/// The purpose of a checkpoint.
public enum CheckpointAim {
    /// To release log, and memory.
    COVER,

    /// On a full disk, to free all of the shadow: the new header names no slot there, unless a reader keeps a
    /// page from its place. Called by the holder of the write role.
    ROOM,

    /// To free memory of changed pages for more of them. Called by the holder of the write role.
    MEMORY,

    /// In a quiet database, to free all of the shadow in the same way. Commits may come meanwhile: the log has
    /// them.
    QUIET,

    /// To mark the database as closed.
    CLOSE;

    /// Whether entries above the pages go into pages first. Not if the caller has the write role, or the store is
    /// closing.
    boolean settles() {
        return this == COVER || this == QUIET;
    }
}
