package dev.oriel.store.page;

import dev.oriel.store.UsageException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The header of every page (docs/file-format.md), and how to read it in place.
///
/// A page is addressed as `(segment, at)`: native memory and the offset of the page's first byte in it. All
/// numbers are little-endian.
public final class Page {
    /// System property of the page size, for all databases of the JVM: 8192 (the usual size), 16384 or 32768. It
    /// belongs to the JVM and not to a database, so that sizes and offsets in pages are constants to the
    /// compiler.
    public static final String SIZE = "oriel.pageBytes";

    private static final int SHIFT_MIN = 13;
    private static final int SHIFT_MAX = 15;
    public static final int SHIFT = shift(System.getProperty(SIZE, ""));
    public static final int BYTES = 1 << SHIFT;
    public static final int HEADER_BYTES = 40;

    /// Bytes of a long value in one page of its overflow chain.
    public static final int PART_BYTES = BYTES - HEADER_BYTES;

    /// Kinds of pages, at [#KIND].
    public static final byte LEAF = 1;

    public static final byte BRANCH = 2;
    public static final byte OVERFLOW = 3;
    public static final byte SPACE = 4;

    /// CRC-32C of the bytes that follow it. It is valid in files, and may be stale in memory: it is set just
    /// before a page is written, not by each commit that changes it.
    public static final int CHECKSUM = 0;

    public static final int KIND = 4;
    public static final int COUNT = 6;
    public static final int NUMBER = 8;

    /// Right sibling of a leaf, leftmost child of a branch, next page of an overflow chain.
    static final int LINK = 32;

    static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /// Pages with a fixed place: two headers, the root of the tree of trees, the first free map.
    public static final long FIRST_HEADER = 0;

    public static final long SECOND_HEADER = 1;
    public static final long CATALOG_ROOT = 2;
    public static final long FIRST_SPACE = 3;

    private Page() {}

    private static int shift(String setting) {
        for (int shift = SHIFT_MIN; shift <= SHIFT_MAX; shift++) {
            if (setting.isEmpty() || setting.equals(Integer.toString(1 << shift))) {
                return shift;
            }
        }
        throw new UsageException(
                "A page has 8192, 16384 or 32768 bytes; set one of these", SIZE + "=" + setting);
    }

    /// Whether databases can have pages of `bytes` bytes.
    public static boolean isSize(int bytes) {
        return Integer.bitCount(bytes) == 1 && bytes >= 1 << SHIFT_MIN && bytes <= 1 << SHIFT_MAX;
    }

    public static int unsignedShort(MemorySegment segment, long at) {
        return Short.toUnsignedInt(segment.get(SHORT, at));
    }

    public static void setShort(MemorySegment segment, long at, int value) {
        segment.set(SHORT, at, (short) value);
    }

    public static byte kind(MemorySegment segment, long at) {
        return segment.get(BYTE, at + KIND);
    }

    public static int count(MemorySegment segment, long at) {
        return unsignedShort(segment, at + COUNT);
    }

    public static long number(MemorySegment segment, long at) {
        return segment.get(LONG, at + NUMBER);
    }

    public static long link(MemorySegment segment, long at) {
        return segment.get(LONG, at + LINK);
    }

    public static void setLink(MemorySegment segment, long at, long page) {
        segment.set(LONG, at + LINK, page);
    }

    /// Makes the page at `at` an empty one of `kind`: all zero except kind and number.
    public static void format(MemorySegment segment, long at, byte kind, long number) {
        segment.asSlice(at, BYTES).fill((byte) 0);
        segment.set(BYTE, at + KIND, kind);
        segment.set(LONG, at + NUMBER, number);
    }

    /// Makes the free page at `at` a valid one: a part of no value, of one byte.
    public static void formatPart(MemorySegment segment, long at, long number) {
        format(segment, at, OVERFLOW, number);
        setShort(segment, at + COUNT, 1);
    }
}
