package dev.oriel.store.page;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// The checksum of a page or of a part of the log, and what it tells about damage.
public final class PageChecksum {
    private PageChecksum() {}

    /// CRC-32C of the `bytes` bytes at `at`, without the first four.
    public static int checksum(MemorySegment segment, long at, long bytes) {
        CRC32C crc = new CRC32C();
        crc.update(segment.asSlice(at + 4, bytes - 4).asByteBuffer());
        return (int) crc.getValue();
    }

    /// Sets the checksum of the page at `at`. A read-only page was evicted to a file, with its checksum.
    public static void complete(MemorySegment segment, long at) {
        if (segment.isReadOnly()) {
            return;
        }
        segment.set(Page.INT, at + Page.CHECKSUM, checksum(segment, at, Page.BYTES));
    }

    /// Describes the error in the checksum or the number of the page in `copy`; empty if there is none.
    public static String wrong(MemorySegment copy, long page) {
        int stored = copy.get(Page.INT, Page.CHECKSUM);
        int computed = checksum(copy, 0, Page.BYTES);
        if (stored != computed) {
            return "checksum=%08x computed=%08x".formatted(stored, computed);
        }
        long number = Page.number(copy, 0);
        return number == page ? "" : "it says page=" + number;
    }

    /// Describes the damage of the page in `copy`, in its checksum, its number or its structure; empty if there is
    /// none.
    public static String damage(MemorySegment copy, long page) {
        String wrong = wrong(copy, page);
        return wrong.isEmpty() ? PageStructure.wrong(copy, 0) : wrong;
    }
}
