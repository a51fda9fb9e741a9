package dev.oriel.store;

import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A file of the database's folder for what is of no use to anybody once it is deleted, or the database closed:
/// what transactions write past `writeSetBytesMax`, and what queries put aside. Never synced; what a crash
/// leaves of it, the next opening deletes.
///
/// It is written from its beginning to its end, and read by positions, or as a map, for which it need not be
/// open. A failure of it poisons nothing.
///
/// Belongs to one thread at a time, but for [#delete].
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

    /// Writes pages behind those that are there; `first` counts from the beginning of the file.
    ///
    /// @throws LimitException if there is no room for them
    @Override
    public void write(long first, MemorySegment run) {
        writeBytes(first << Page.SHIFT, run);
    }

    /// The same, of bytes.
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

    /// What was written need not survive anything.
    @Override
    public void sync() {}

    /// Bytes that were written, or passed over.
    long bytes() {
        return bytes;
    }

    /// Shows all that was written, and writes no more.
    MemorySegment map() {
        try {
            MemorySegment map = file.map(0, bytes);
            file.close();
            return map;
        } catch (IOException e) {
            throw TemporaryFiles.noRoom(e);
        }
    }

    /// Reads from the file, which has not been mapped.
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

    /// Of no use any more; a second call does nothing. What maps show of it stays for as long as they do.
    public void delete() {
        files.delete(this);
    }

    void close() throws IOException {
        file.close();
    }
}
