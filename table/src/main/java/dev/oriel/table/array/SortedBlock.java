package dev.oriel.table.array;

import java.util.Arrays;

/// Up to [SortedArray#BLOCK_ENTRIES_MAX] entries in order, at least one. Immutable.
public final class SortedBlock {
    private final byte[] bytes;
    private final int[] ends;
    private final char[] rowKeyAt;

    SortedBlock(byte[] bytes, int[] ends, char[] rowKeyAt) {
        this.bytes = bytes;
        this.ends = ends;
        this.rowKeyAt = rowKeyAt;
    }

    static SortedBlock of(byte[] key, int length, int rowKeyAt) {
        return new SortedBlock(
                Arrays.copyOf(key, length), new int[] {length}, new char[] {(char) rowKeyAt});
    }

    int count() {
        return ends.length;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    public int end(int index) {
        return ends[index];
    }

    /// Offset in [#bytes()] of an entry's row key.
    public int rowKeyStart(int index) {
        return start(index) + rowKeyAt[index];
    }

    int compare(int index, byte[] key, int length) {
        return Arrays.compareUnsigned(bytes, start(index), ends[index], key, 0, length);
    }

    boolean startsWith(int index, byte[] key, int length) {
        int start = start(index);
        return ends[index] - start >= length
                && Arrays.equals(bytes, start, start + length, key, 0, length);
    }

    int ceiling(byte[] key, int length) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, key, length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    SortedBlock with(int index, byte[] key, int length, int newRowKeyAt) {
        int count = ends.length;
        int start = start(index);
        byte[] newBytes = new byte[bytes.length + length];
        System.arraycopy(bytes, 0, newBytes, 0, start);
        System.arraycopy(key, 0, newBytes, start, length);
        System.arraycopy(bytes, start, newBytes, start + length, bytes.length - start);
        int[] newEnds = new int[count + 1];
        System.arraycopy(ends, 0, newEnds, 0, index);
        newEnds[index] = start + length;
        for (int i = index; i < count; i++) {
            newEnds[i + 1] = ends[i] + length;
        }
        char[] newRowKeys = new char[count + 1];
        System.arraycopy(rowKeyAt, 0, newRowKeys, 0, index);
        newRowKeys[index] = (char) newRowKeyAt;
        System.arraycopy(rowKeyAt, index, newRowKeys, index + 1, count - index);
        return new SortedBlock(newBytes, newEnds, newRowKeys);
    }

    SortedBlock without(int index) {
        int count = ends.length;
        int start = start(index);
        int removed = ends[index] - start;
        byte[] newBytes = new byte[bytes.length - removed];
        System.arraycopy(bytes, 0, newBytes, 0, start);
        System.arraycopy(bytes, ends[index], newBytes, start, newBytes.length - start);
        int[] newEnds = Arrays.copyOf(ends, count - 1);
        for (int i = index; i < count - 1; i++) {
            newEnds[i] = ends[i + 1] - removed;
        }
        char[] newRowKeys = Arrays.copyOf(rowKeyAt, count - 1);
        System.arraycopy(rowKeyAt, index + 1, newRowKeys, index, count - 1 - index);
        return new SortedBlock(newBytes, newEnds, newRowKeys);
    }

    SortedBlock part(int from, int to) {
        int start = start(from);
        int[] newEnds = Arrays.copyOfRange(ends, from, to);
        for (int i = 0; i < newEnds.length; i++) {
            newEnds[i] -= start;
        }
        return new SortedBlock(
                Arrays.copyOfRange(bytes, start, ends[to - 1]),
                newEnds,
                Arrays.copyOfRange(rowKeyAt, from, to));
    }

    SortedBlock joined(SortedBlock next) {
        byte[] newBytes = Arrays.copyOf(bytes, bytes.length + next.bytes.length);
        System.arraycopy(next.bytes, 0, newBytes, bytes.length, next.bytes.length);
        int[] newEnds = Arrays.copyOf(ends, ends.length + next.ends.length);
        for (int i = 0; i < next.ends.length; i++) {
            newEnds[ends.length + i] = next.ends[i] + bytes.length;
        }
        char[] newRowKeys = Arrays.copyOf(rowKeyAt, newEnds.length);
        System.arraycopy(next.rowKeyAt, 0, newRowKeys, ends.length, next.ends.length);
        return new SortedBlock(newBytes, newEnds, newRowKeys);
    }
}
