package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// A file of the database's folder for data that is useless once the file is deleted or the database closed:
/// spilled write sets, and intermediate data of queries. Never synced; the next opening deletes leftovers of a
/// crash.
///
/// It is written sequentially, and read by positions or as a map, for which it need not be open. A failure of it
/// poisons nothing.
///
/// Belongs to one thread at a time, except for [#delete].
public interface TemporaryFile {
    /// Appends bytes at `position`, its end or beyond.
    ///
    /// @throws LimitException if there is no room for them
    void writeBytes(long position, MemorySegment from);

    /// Maps the whole file for reading; no more writes follow.
    MemorySegment map();

    /// Reads from the file, while it is not mapped.
    ///
    /// @throws StorageException if that fails
    void read(long position, MemorySegment into);

    /// Deletes the file; a second call does nothing. Existing maps keep its content.
    void delete();
}
