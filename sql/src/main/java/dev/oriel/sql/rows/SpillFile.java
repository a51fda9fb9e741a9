package dev.oriel.sql.rows;

import dev.oriel.store.ClosedException;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.TemporaryFile;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;

/// A spill file of an operator: appended to through a buffer, and read at any position. Deleted by its creator, or
/// at the end of the statement.
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

    /// Length in bytes: the position of the next append.
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

    /// The error for a file that cannot be created or written.
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

    /// Flushes and releases the buffer; appending may resume later.
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

    /// Deletes the file; a second call has no effect.
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
