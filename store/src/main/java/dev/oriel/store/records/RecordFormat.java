package dev.oriel.store.records;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The byte format of [Records]: keys, rows, and the padding of a row (docs/file-format.md).
///
/// ```
/// tree NAME            u64 id                              a row, see below
///                      u64 id, u32 generation and index    a chunk of a long record
///
/// tree NAME/directory  u8 1, u64 id                        u64 stamp: the id is free
///                      u8 2, name                          u64 id: a named root
///
/// row      u8 padding (0 to 253)    content, zeros         that many zeros
///          u8 254, u16 padding      content, zeros
///          u8 255, u8 generation, u64 length               the content lies in chunks
/// ```
///
/// Numbers in keys are big-endian, so that rows are in the order of ids, and chunks in the order of their index.
/// All others are little-endian.
final class RecordFormat {
    /// Length of all chunks but the last, and minimum length of a chunked record. It fills the pages of a chain.
    static final int CHUNK_BYTES = 8 * Page.PART_BYTES;

    /// Space before the content for the longest header.
    static final int HEADER_BYTES_MAX = 3;

    static final int BIG_ROW_BYTES = 10;
    static final int ID_BYTES = 8;
    static final int CHUNK_KEY_BYTES = 12;
    static final byte FREE = 1;
    static final byte ROOT = 2;

    /// Maximum length of a row inside a leaf. A longer one is a chain of pages, which a change rewrites as a
    /// whole, so padding would be useless.
    static final int INLINE_BYTES_MAX = Node.CELL_BYTES_MAX - Node.LEAF_CELL - ID_BYTES;

    private static final int LONG_PADDING = 254;
    private static final int BIG = 255;

    /// Minimum padding that is worth giving back.
    private static final int SPARE_BYTES = 64;

    private static final ValueLayout.OfInt INT_BE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final MemorySegment ZEROS = Arena.ofAuto().allocate(INLINE_BYTES_MAX);

    private RecordFormat() {}

    /// Points `key` at the key of a row, written to `memory`.
    static Slice rowKey(MemorySegment memory, long id, Slice key) {
        memory.set(Slice.LONG_BE, 0, id);
        return key.set(memory, 0, ID_BYTES);
    }

    /// Points `key` at the key of a chunk, written to `memory`.
    static Slice chunkKey(MemorySegment memory, long id, int generation, int index, Slice key) {
        memory.set(Slice.LONG_BE, 0, id);
        memory.set(INT_BE, ID_BYTES, generation << 31 | index);
        return key.set(memory, 0, CHUNK_KEY_BYTES);
    }

    /// Points `key` at the key of a free id, written to `memory`.
    static Slice freeKey(MemorySegment memory, long id, Slice key) {
        memory.set(Page.BYTE, 0, FREE);
        memory.set(Slice.LONG_BE, 1, id);
        return key.set(memory, 0, 1 + ID_BYTES);
    }

    /// Returns the id in a key, at offset `from`.
    static long id(Slice key, int from) {
        if (key.length() < from + ID_BYTES) {
            throw damaged("keyBytes=" + key.length());
        }
        return key.segment().get(Slice.LONG_BE, key.offset() + from);
    }

    /// Returns generation and index of a chunk from its key.
    static int place(Slice chunkKey) {
        return chunkKey.segment().get(INT_BE, chunkKey.offset() + ID_BYTES);
    }

    /// Returns the number in a value of the directory.
    static long number(Slice value) {
        if (value.length() != Long.BYTES) {
            throw damaged("valueBytes=" + value.length());
        }
        return value.segment().get(Page.LONG, value.offset());
    }

    static boolean isBig(Slice row) {
        return header(row) == BIG;
    }

    private static int header(Slice row) {
        if (row.length() == 0) {
            throw damaged("rowBytes=0");
        }
        return Byte.toUnsignedInt(row.segment().get(Page.BYTE, row.offset()));
    }

    /// Points `out` at the content of `row`, which is not chunked; both may be the same slice.
    static void content(Slice row, Slice out) {
        int header = header(row);
        int headerBytes = header == LONG_PADDING ? HEADER_BYTES_MAX : 1;
        int padding =
                header == LONG_PADDING && row.length() >= HEADER_BYTES_MAX
                        ? Page.unsignedShort(row.segment(), row.offset() + 1)
                        : header;
        int length = row.length() - headerBytes - padding;
        if (length < 0) {
            throw damaged("rowBytes=" + row.length() + " padding=" + padding);
        }
        out.set(row.segment(), row.offset() + headerBytes, length);
    }

    /// Returns the generation, 0 or 1, of a chunked row: the current one of its two sets of chunks.
    static int generation(Slice bigRow) {
        checkBig(bigRow);
        return bigRow.segment().get(Page.BYTE, bigRow.offset() + 1) & 1;
    }

    static long length(Slice bigRow) {
        checkBig(bigRow);
        return bigRow.segment().get(Page.LONG, bigRow.offset() + 2);
    }

    private static void checkBig(Slice row) {
        if (row.length() != BIG_ROW_BYTES
                || row.segment().get(Page.LONG, row.offset() + 2) < CHUNK_BYTES) {
            throw damaged("bigRowBytes=" + row.length());
        }
    }

    /// Points `row` at the row of a record whose content lies in chunks, written to `memory`.
    static void big(MemorySegment memory, int generation, long length, Slice row) {
        memory.set(Page.BYTE, 0, (byte) BIG);
        memory.set(Page.BYTE, 1, (byte) generation);
        memory.set(Page.LONG, 2, length);
        row.set(memory, 0, BIG_ROW_BYTES);
    }

    /// Writes header and padding around the content, the `length` bytes at [#HEADER_BYTES_MAX] of `memory`.
    /// Points `row` at the whole row of `rowBytes` bytes, which is more than `length`.
    static void wrap(MemorySegment memory, int length, int rowBytes, Slice row) {
        int room = rowBytes - 1 - length;
        int headerBytes = room < LONG_PADDING ? 1 : HEADER_BYTES_MAX;
        int start = HEADER_BYTES_MAX - headerBytes;
        int padding = rowBytes - headerBytes - length;
        if (headerBytes == 1) {
            memory.set(Page.BYTE, start, (byte) padding);
        } else {
            memory.set(Page.BYTE, start, (byte) LONG_PADDING);
            Page.setShort(memory, start + 1, padding);
        }
        if (padding > 0) {
            MemorySegment.copy(ZEROS, 0, memory, HEADER_BYTES_MAX + (long) length, padding);
        }
        row.set(memory, start, rowBytes);
    }

    /// Returns the row length, in bytes, of a new record that is expected to grow to `expected` bytes.
    static int firstRowBytes(int length, int expected) {
        int needed = 1 + length;
        return needed > INLINE_BYTES_MAX
                ? needed
                : Math.clamp(1L + expected, needed, INLINE_BYTES_MAX);
    }

    /// Returns the row length after a change from `lengthBefore` bytes, in a row of `rowBytesBefore`, to
    /// `length`. It stays the same if the content fits, so that the row is overwritten in place. A record that
    /// outgrows its row is padded with as much again as it grew by, at least an eighth and at most half of its
    /// length. A record that shrinks to less than a quarter gives its padding back.
    static int nextRowBytes(int rowBytesBefore, int lengthBefore, int length) {
        int needed = 1 + length;
        if (needed > INLINE_BYTES_MAX || rowBytesBefore > INLINE_BYTES_MAX) {
            return needed;
        }
        if (needed <= rowBytesBefore) {
            boolean shrunk = length < lengthBefore / 4 && rowBytesBefore - needed >= SPARE_BYTES;
            return shrunk ? needed : rowBytesBefore;
        }
        int room = Math.clamp((long) needed - rowBytesBefore, needed / 8, needed / 2);
        return Math.min(needed + room, INLINE_BYTES_MAX);
    }

    static CorruptionException damaged(String context) {
        return new CorruptionException("A record is damaged", context);
    }
}
