package dev.oriel.sql.rows;

import dev.oriel.store.ClosedException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.TemporaryFile;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;

/// A file of what an operator has put aside: appended to through a buffer, and read from any place.
/// Deleted by who made it, or at the end of the statement.
public final class SpillFile {
    private static final byte[] NONE = {};

    private final QueryMemory memory;
    private final TemporaryFile file;
    private byte[] buffer = NONE;
    private int buffered;
    private long written;
    private boolean deleted;

    SpillFile(QueryMemory memory, TemporaryFile file) {
        this.memory = memory;
        this.file = file;
    }

    QueryMemory memory() {
        return memory;
    }

    /// Bytes in it: where the next one goes.
    long bytes() {
        return written + buffered;
    }

    public void append(byte[] from, int length) {
        if (buffer.length == 0) {
            buffer = new byte[memory.blockBytes()];
            memory.add(buffer.length);
        }
        if (length > buffer.length - buffered) {
            flush();
        }
        if (length > buffer.length) {
            write(from, length);
            return;
        }
        System.arraycopy(from, 0, buffer, buffered, length);
        buffered += length;
    }

    private void flush() {
        int length = buffered;
        buffered = 0;
        write(buffer, length);
    }

    private void write(byte[] from, int length) {
        if (length == 0) {
            return;
        }
        try {
            file.writeBytes(written, MemorySegment.ofArray(from).asSlice(0, length));
        } catch (LimitException e) {
            throw refused(e);
        }
        written += length;
        memory.wrote(length);
    }

    /// What is said of a file that cannot be made or written.
    static RuntimeException refused(LimitException e) {
        if (e.getCause() instanceof ClosedChannelException) {
            return new ClosedException("The database has been closed", "", e);
        }
        return new LimitException(
                "There is no room to put aside rows of the statement; free space on the disk, or raise"
                        + " query_bytes_max",
                "",
                e.getCause());
    }

    /// Nothing more is appended for now: writes what the buffer holds, and lets go of it.
    public void finish() {
        flush();
        memory.take(buffer.length);
        buffer = NONE;
    }

    /// Reads `length` bytes from `position`.
    void read(long position, byte[] into, int length) {
        if (position + length > written) {
            flush();
        }
        try {
            file.read(position, MemorySegment.ofArray(into).asSlice(0, length));
        } catch (StorageException e) {
            throw new StorageException(
                    "Rows that the statement has put aside cannot be read; run it again",
                    "",
                    e.getCause());
        }
    }

    /// A second call does nothing.
    public void delete() {
        if (!deleted) {
            deleted = true;
            memory.take(buffer.length);
            buffer = NONE;
            memory.forget(this);
            file.delete();
        }
    }
}
