package dev.oriel.io;

import java.io.IOException;
import java.util.List;

/// The folder that holds the files of one database.
public interface Directory {
    /// Names of the files in it, sorted; no folders.
    List<String> list() throws IOException;

    /// Opens the file `name` for reading and writing, creating an empty one if there is none.
    StorageFile open(String name) throws IOException;

    /// Opens the existing file `name` for reading only; its `write`, `resize` and `sync` throw.
    StorageFile openReadOnly(String name) throws IOException;

    /// Deletes the file `name`, if it exists.
    void delete(String name) throws IOException;

    /// Estimated number of bytes that can be written here before the disk is full, as the system reports it. Other
    /// programs may use them up meanwhile, and the report may be wrong. `Long.MAX_VALUE` if there is no report.
    long freeBytes() throws IOException;

    /// Makes the creation and deletion of files survive the death of the machine.
    void sync() throws IOException;

    /// Locks the folder against every other process and every other caller in this one, until the
    /// returned lock is closed.
    ///
    /// @throws LockedException if the lock is held; its message names the holder's process id
    FolderLock lock() throws IOException;

    /// Locks the folder against every holder of [#lock], and shares it with readers in other processes; nothing is
    /// written for it. Used by callers without write permission. If no process can write here, a lock is not
    /// needed.
    ///
    /// @throws LockedException if [#lock] is held; its message names the holder's process id
    /// @throws IOException if there is no lock file, and another process might write here
    default FolderLock lockToRead() throws IOException {
        return lock();
    }

    /// The folder's path, for messages.
    @Override
    String toString();
}
