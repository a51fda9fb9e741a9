package dev.oriel.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Records that were appended to the log and not yet written to its file: they lie one behind the other, as
/// they will there. Guarded by the log's monitor.
final class LogBuffer {
    static final int BYTES = 256 << 10;

    /// Taken at the first use.
    private MemorySegment memory = MemorySegment.NULL;

    /// Where in the file the first of them belongs.
    private long start;

    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    boolean hasRoomFor(long bytes) {
        return length + bytes <= BYTES;
    }

    /// Adds a record, for which there is room, and which belongs to `position`, right behind the one before.
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

    /// Whether the first of them begins with a sector.
    boolean beginsWithSector() {
        return start % LogRecord.SECTOR_BYTES == 0;
    }

    /// As [#writeTo], durably.
    void writeDurablyTo(LogSegment segment) throws IOException {
        try {
            segment.writeDurably(start, memory, length);
        } catch (IOException e) {
            length = 0;
            throw e;
        }
        length = 0;
    }

    /// Writes all of them with one call. Where the disk fails, nothing is written twice: the buffer is empty then, as it
    /// is when all is well. What else can end the call (memory has run out) leaves them here for the next one.
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
