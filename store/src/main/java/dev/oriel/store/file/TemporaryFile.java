package dev.oriel.store.file;

import dev.oriel.io.StorageFile;
import dev.oriel.store.StorageException;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A file of the database's folder for data that is useless once the file is deleted or the database closed:
/// spilled write sets, and intermediate data of queries. Never synced; the next opening deletes leftovers of a
/// crash.
///
/// It is written sequentially, and read by positions or as a map, for which it need not be open. A failure of it
/// poisons nothing.
///
/// Belongs to one thread at a time, except for [#delete].
public final class TemporaryFile implements PageRun.Target {
    private final TemporaryFiles files;
    final String name;
    private final StorageFile file;
    private long bytes;

    TemporaryFile(TemporaryFiles files, String name, StorageFile file) {
        this.files = files;
        this.name = name;
        this.file = file;
    }

    /// Appends pages; `first` counts from the beginning of the file.
    ///
    /// @throws LimitException if there is no room for them
    @Override
    public void write(long first, MemorySegment run) {
        writeBytes(first << Page.SHIFT, run);
    }

    /// Appends bytes at `position`, its end or beyond.
    ///
    /// @throws LimitException if there is no room for them
    public void writeBytes(long position, MemorySegment from) {
        try {
            file.write(position, from);
        } catch (IOException e) {
            throw TemporaryFiles.noRoom(e);
        }
        bytes = Math.max(bytes, position + from.byteSize());
    }

    /// Does nothing: a temporary file need not survive a crash.
    @Override
    public void sync() {}

    /// Length in bytes, gaps included.
    long bytes() {
        return bytes;
    }

    /// Maps the whole file for reading; no more writes follow.
    public MemorySegment map() {
        try {
            MemorySegment map = file.map(0, bytes);
            file.close();
            return map;
        } catch (IOException e) {
            throw TemporaryFiles.noRoom(e);
        }
    }

    /// Reads from the file, while it is not mapped.
    ///
    /// @throws StorageException if that fails
    public void read(long position, MemorySegment into) {
        try {
            file.read(position, into);
        } catch (IOException e) {
            throw new StorageException(
                    "The temporary file of a transaction cannot be read; roll it back", "", e);
        }
    }

    /// Deletes the file; a second call does nothing. Existing maps keep its content.
    public void delete() {
        files.delete(this);
    }

    void close() throws IOException {
        file.close();
    }
}
