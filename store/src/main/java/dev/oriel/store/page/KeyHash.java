package dev.oriel.store.page;

import dev.oriel.store.Slice;
import java.lang.foreign.MemorySegment;

/// A hash of 64 bits of a key and its tree. All its bits are good: two keys have the same one with a probability of
/// about 2^-64.
public final class KeyHash {
    private static final long ROOT = 0x8f3a_51c7_d96e_02b5L;
    private static final long LENGTH = 0xc2b7_94e6_1d35_f80bL;
    private static final long WORD = 0x9d1e_63a8_47fb_2c95L;
    private static final long REST = 0xe6a4_0f72_b85c_9d13L;
    private static final long TREE = 0xb41d_e98f_263a_7c59L;

    private KeyHash() {}

    /// The hash of `key` in the tree at `root`.
    public static long of(long root, Slice key) {
        MemorySegment bytes = key.segment();
        long at = key.offset();
        int length = key.length();
        long hash = fold(root ^ ROOT, length ^ LENGTH);
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            hash = fold(hash ^ bytes.get(Page.LONG, at + i), WORD);
        }
        if (i < length) {
            long rest =
                    length > 8
                            ? bytes.get(Page.LONG, at + length - 8)
                            : shortKey(bytes, at, length);
            hash = fold(hash ^ rest, REST);
        }
        return fold(hash ^ TREE, ROOT);
    }

    /// The hash of the tree at `root` itself; no key has it.
    public static long of(long root) {
        return fold(fold(root ^ TREE, REST), WORD);
    }

    private static long shortKey(MemorySegment bytes, long at, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = (value << 8) | (bytes.get(Page.BYTE, at + i) & 0xff);
        }
        return value;
    }

    /// Both halves of the product, so that each bit of `a` reaches all bits.
    private static long fold(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }
}
