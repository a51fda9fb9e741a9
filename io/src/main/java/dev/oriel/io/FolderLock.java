package dev.oriel.io;

import java.io.IOException;

/// A lock on a folder. It is doubtful if the folder may have another holder nevertheless. That is so if the lock
/// file was recreated, or names a process that is invisible here, such as one of another container.
public interface FolderLock extends AutoCloseable {
    /// Whether another holder may be alive. The name of that process stays in the lock file
    /// until [#settle].
    default boolean isDoubtful() {
        return false;
    }

    /// Ends the doubt: the caller has seen that there is no other holder.
    default void settle() throws IOException {}

    /// Releases the lock; a second call does nothing.
    @Override
    void close() throws IOException;
}
