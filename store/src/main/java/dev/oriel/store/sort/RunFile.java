package dev.oriel.store.sort;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.checkpoint.SpaceReserve;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A file of the database's folder for sorted runs of one bulk load: written sequentially, read run by run, never
/// synced, and deleted at the end. The next opening deletes a leftover of a crash unread.
public final class RunFile {
    private static final String NAME = SpaceReserve.TEMPORARY + "sort";
    private static final long STAGING_BYTES = 1 << 20;

    private final Directory directory;
    private final StorageFile file;
    private final MemorySegment staging = Arena.ofAuto().allocate(STAGING_BYTES, 4096);
    private long staged;
    private long written;

    public RunFile(Directory directory) {
        this.directory = directory;
        try {
            directory.delete(NAME);
            this.file = directory.open(NAME);
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    /// Position of the next append.
    long position() {
        return written + staged;
    }

    void append(MemorySegment bytes) {
        long done = 0;
        while (done < bytes.byteSize()) {
            if (staged == STAGING_BYTES) {
                flush();
            }
            long part = Math.min(STAGING_BYTES - staged, bytes.byteSize() - done);
            MemorySegment.copy(bytes, done, staging, staged, part);
            staged += part;
            done += part;
        }
    }

    /// Makes all appended bytes readable.
    void flush() {
        try {
            if (staged > 0) {
                file.write(written, staging.asSlice(0, staged));
            }
        } catch (IOException e) {
            throw noRoom(e);
        }
        written += staged;
        staged = 0;
    }

    void read(long position, MemorySegment into) {
        try {
            file.read(position, into);
        } catch (IOException e) {
            throw new StorageException(
                    "The sorted runs of a bulk load cannot be read; roll it back",
                    "file=" + NAME,
                    e);
        }
    }

    private static LimitException noRoom(IOException cause) {
        return new LimitException(
                "There is no room to sort a bulk load; free space on the disk and begin it again",
                "file=" + NAME,
                cause);
    }

    /// Closes and deletes the file.
    public void close() {
        try {
            file.close();
            directory.delete(NAME);
        } catch (IOException e) {
            throw new StorageException(
                    "The sorted runs of a bulk load cannot be deleted; the next opening does it",
                    "file=" + NAME,
                    e);
        }
    }
}
