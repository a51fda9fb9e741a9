package dev.oriel.store.log;

import dev.oriel.store.memory.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Records appended to the log and not yet written to its file: contiguous, as in the file. Guarded by the log's
/// monitor.
public final class LogBuffer {
    public static final int BYTES = 256 << 10;

    /// Allocated at the first use.
    private MemorySegment memory = MemorySegment.NULL;

    /// Position of the first record in the file.
    private long start;

    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    boolean hasRoomFor(long bytes) {
        return length + bytes <= BYTES;
    }

    /// Adds a record at `position`, right after the previous one; the caller has checked that there is room.
    void add(long position, MemorySegment record) {
        if (memory.byteSize() == 0) {
            memory = NativeMemory.allocate(BYTES + LogRecord.SECTOR_BYTES, LogRecord.SECTOR_BYTES);
        }
        if (length == 0) {
            start = position;
        }
        assert position == start + length : "the records have a gap";
        MemorySegment.copy(record, 0, memory, length, record.byteSize());
        length += (int) record.byteSize();
    }

    /// Whether the first record begins a sector.
    boolean beginsWithSector() {
        return start % LogRecord.SECTOR_BYTES == 0;
    }

    /// Like [#writeTo], durably.
    void writeDurablyTo(LogSegment segment) throws IOException {
        try {
            segment.writeDurably(start, memory, length);
        } catch (IOException e) {
            length = 0;
            throw e;
        }
        length = 0;
    }

    /// Writes all records with one call. If the disk fails, nothing is written twice: the buffer is empty then, as
    /// after success. After any other failure (memory has run out) they stay here for the next call.
    void writeTo(LogSegment segment) throws IOException {
        try {
            segment.write(start, memory, length);
        } catch (IOException e) {
            length = 0;
            throw e;
        }
        length = 0;
    }
}
