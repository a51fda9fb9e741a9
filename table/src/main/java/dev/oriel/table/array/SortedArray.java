package dev.oriel.table.array;

import dev.oriel.store.Slice;
import java.util.Arrays;

/// The entries of an ARRAY index at one moment: a sorted array of byte strings, cut into blocks. Immutable: a
/// change copies one block and the array of blocks, so that older snapshots keep theirs and savepoints cost
/// nothing.
///
/// An entry is the indexed columns as `KeyCodec` writes them, then the row key. A block keeps its entries in one
/// array of bytes without slack. It takes 6 bytes in addition to each entry (for its end and the begin of its row
/// key), and a full block's own objects about 0.3 bytes more. One change copies half a block on average: some 10
/// KB for entries of 30 bytes, and 4 or 8 bytes for each block of the index.
///
/// A position is `block << 32 | index`; positions order as their entries do, and [#end()] comes after the last.
public final class SortedArray {
    static final int BLOCK_ENTRIES_MAX = 512;

    /// Greatest number of entries of two neighbours that are merged.
    private static final int MERGED_ENTRIES_MAX = 256;

    public static final SortedArray EMPTY = new SortedArray(new SortedBlock[0], 0);

    private final SortedBlock[] blocks;
    private final long size;

    private SortedArray(SortedBlock[] blocks, long size) {
        this.blocks = blocks;
        this.size = size;
    }

    long size() {
        return size;
    }

    public long begin() {
        return 0;
    }

    public long end() {
        return (long) blocks.length << 32;
    }

    public long after(long position) {
        int block = (int) (position >>> 32);
        int index = (int) position + 1;
        return index < blocks[block].count() ? position + 1 : (long) (block + 1) << 32;
    }

    /// The position before `position`; -1 before the first.
    public long before(long position) {
        if ((int) position > 0) {
            return position - 1;
        }
        int block = (int) (position >>> 32) - 1;
        return block < 0 ? -1 : (long) block << 32 | blocks[block].count() - 1;
    }

    /// The block that holds the entry at `position`.
    public SortedBlock block(long position) {
        return blocks[(int) (position >>> 32)];
    }

    /// The first position whose entry is not less than the first `length` bytes of `key`.
    public long ceiling(byte[] key, int length) {
        int low = 0;
        int high = blocks.length;
        while (low < high) { // the first block whose last entry is not less
            int middle = (low + high) >>> 1;
            if (blocks[middle].compare(blocks[middle].count() - 1, key, length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == blocks.length ? end() : (long) low << 32 | blocks[low].ceiling(key, length);
    }

    /// Whether the entry at `position` is exactly the first `length` bytes of `key`.
    public boolean is(long position, byte[] key, int length) {
        return position < end() && block(position).compare((int) position, key, length) == 0;
    }

    /// Whether the entry at `position` begins with the first `length` bytes of `key`.
    public boolean startsWith(long position, byte[] key, int length) {
        return position < end() && block(position).startsWith((int) position, key, length);
    }

    /// Points `out` at the row key of the entry at `position`.
    public void rowKey(long position, Slice out) {
        SortedBlock block = block(position);
        int start = block.rowKeyStart((int) position);
        byte[] key = Arrays.copyOfRange(block.bytes(), start, block.end((int) position));
        out.setCopy(Slice.copyOf(key));
    }

    /// This array with the entry of the first `length` bytes of `key`, which it does not hold yet.
    ///
    /// @param rowKeyAt offset of the row key in the entry
    SortedArray with(byte[] key, int length, int rowKeyAt) {
        if (blocks.length == 0) {
            return new SortedArray(new SortedBlock[] {SortedBlock.of(key, length, rowKeyAt)}, 1);
        }
        long position = ceiling(key, length);
        int at = (int) (position >>> 32);
        int index = (int) position;
        if (at == blocks.length) { // after the last
            at--;
            index = blocks[at].count();
        }
        SortedBlock block = blocks[at];
        if (block.count() < BLOCK_ENTRIES_MAX) {
            return replaced(at, 1, 1, block.with(index, key, length, rowKeyAt));
        }
        if (index == block.count()) { // ascending: leave the full block as it is
            return replaced(at + 1, 0, 1, SortedBlock.of(key, length, rowKeyAt));
        }
        int half = block.count() / 2;
        SortedBlock left = block.part(0, half);
        SortedBlock right = block.part(half, block.count());
        if (index <= half) {
            left = left.with(index, key, length, rowKeyAt);
        } else {
            right = right.with(index - half, key, length, rowKeyAt);
        }
        return replaced(at, 1, 1, left, right);
    }

    /// This array without the entry at `position`.
    SortedArray without(long position) {
        int at = (int) (position >>> 32);
        SortedBlock block = blocks[at];
        if (block.count() == 1) {
            return replaced(at, 1, -1);
        }
        SortedBlock smaller = block.without((int) position);
        int first = at > 0 ? at - 1 : at;
        for (int left = first; left <= at && left + 1 < blocks.length; left++) {
            SortedBlock a = left == at ? smaller : blocks[left];
            SortedBlock b = left == at ? blocks[at + 1] : smaller;
            if (a.count() + b.count() <= MERGED_ENTRIES_MAX) {
                return replaced(left, 2, -1, a.joined(b));
            }
        }
        return replaced(at, 1, -1, smaller);
    }

    /// A copy with `news` in place of `removed` blocks from `from` on.
    private SortedArray replaced(int from, int removed, int more, SortedBlock... news) {
        SortedBlock[] copy = new SortedBlock[blocks.length - removed + news.length];
        System.arraycopy(blocks, 0, copy, 0, from);
        System.arraycopy(news, 0, copy, from, news.length);
        System.arraycopy(
                blocks, from + removed, copy, from + news.length, blocks.length - from - removed);
        return new SortedArray(copy, size + more);
    }

    /// Heap bytes of the entries and blocks, by the arithmetic of the type's comment.
    long heapBytes() {
        long bytes = 8L * blocks.length;
        for (SortedBlock block : blocks) {
            bytes += block.bytes().length + 6L * block.count() + 80;
        }
        return bytes;
    }

    /// Collects entries in ascending order into full blocks.
    public static final class Builder {
        private SortedBlock[] blocks = new SortedBlock[16];
        private int blockCount;
        private long size;
        private final byte[][] entries = new byte[BLOCK_ENTRIES_MAX][];
        private final char[] rowKeyAt = new char[BLOCK_ENTRIES_MAX];
        private int count;

        /// Adds an entry, which is kept until its block is full.
        public void add(byte[] entry, int rowKeyStart) {
            entries[count] = entry;
            rowKeyAt[count] = (char) rowKeyStart;
            if (++count == BLOCK_ENTRIES_MAX) {
                finishBlock();
            }
        }

        private void finishBlock() {
            if (blockCount == blocks.length) {
                blocks = Arrays.copyOf(blocks, 2 * blockCount);
            }
            int[] ends = new int[count];
            int total = 0;
            for (int i = 0; i < count; i++) {
                total += entries[i].length;
                ends[i] = total;
            }
            byte[] bytes = new byte[total];
            for (int i = 0; i < count; i++) {
                byte[] entry = entries[i];
                System.arraycopy(entry, 0, bytes, ends[i] - entry.length, entry.length);
            }
            blocks[blockCount++] = new SortedBlock(bytes, ends, Arrays.copyOf(rowKeyAt, count));
            size += count;
            count = 0;
        }

        public SortedArray build() {
            if (count > 0) {
                finishBlock();
            }
            return new SortedArray(Arrays.copyOf(blocks, blockCount), size);
        }
    }
}
