package dev.oriel.io;

import java.io.IOException;
import java.util.List;

/// The folder that holds the files of one database.
public interface Directory {
    /// Names of the files in it, sorted; no folders.
    List<String> list() throws IOException;

    /// Opens the file `name` for reading and writing, creating an empty one where there is none.
    StorageFile open(String name) throws IOException;

    /// Opens the existing file `name` for reading only; its `write`, `resize` and `sync` throw.
    StorageFile openReadOnly(String name) throws IOException;

    /// Deletes the file `name`, if it exists.
    void delete(String name) throws IOException;

    /// How many bytes can be written here, about, before the disk is full: what the system says, which others
    /// may use up meanwhile, and which may be wrong. `Long.MAX_VALUE` where it says nothing.
    long freeBytes() throws IOException;

    /// Makes the creation and deletion of files survive the death of the machine.
    void sync() throws IOException;

    /// Locks the folder against every other process and every other caller in this one, until the
    /// returned lock is closed.
    ///
    /// @throws LockedException if somebody holds it; its message names the holder's process id
    AutoCloseable lock() throws IOException;

    /// Locks the folder against everybody who holds or wants [#lock], beside others in other processes who
    /// only read as well; nothing is written for it. For whoever may not write here. Where nobody can, a
    /// lock is not needed.
    ///
    /// @throws LockedException if somebody holds [#lock]; its message names the holder's process id
    /// @throws IOException if there is nothing to lock, and somebody else might write here
    default AutoCloseable lockToRead() throws IOException {
        return lock();
    }

    /// Where the folder is, for messages.
    @Override
    String toString();
}
