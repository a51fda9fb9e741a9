package dev.oriel.sql.run;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Chains of the rows of a [HashBuild] whose one key is a whole number: what most joins go by. Open
/// addressing, at most half full, without an object for a key.
final class LongChains {
    private static final int SLOTS_MIN = 64;

    private long[] keys = new long[SLOTS_MIN];
    private HashBuild.@Nullable Entry[] firsts = new HashBuild.Entry[SLOTS_MIN];
    private HashBuild.@Nullable Entry[] lasts = new HashBuild.Entry[SLOTS_MIN];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /// The first row with that key; null where there is none.
    HashBuild.@Nullable Entry first(long key) {
        return firsts[slot(key)];
    }

    /// Adds a row at the end of its chain; whether it begins one.
    boolean add(long key, HashBuild.Entry entry) {
        int slot = slot(key);
        HashBuild.Entry last = lasts[slot];
        lasts[slot] = entry;
        if (last != null) {
            last.nextOfChain = entry;
            return false;
        }
        keys[slot] = key;
        firsts[slot] = entry;
        if (++count > keys.length / 2) {
            grow();
        }
        return true;
    }

    /// Where a key is, or would be.
    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (firsts[slot] != null && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        HashBuild.@Nullable Entry[] oldFirsts = firsts;
        HashBuild.@Nullable Entry[] oldLasts = lasts;
        keys = new long[2 * oldKeys.length];
        firsts = new HashBuild.Entry[keys.length];
        lasts = new HashBuild.Entry[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldFirsts[i] != null) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                firsts[slot] = oldFirsts[i];
                lasts[slot] = oldLasts[i];
            }
        }
    }

    /// Hands over the first row of each chain, with its key, in no order.
    void forEach(BiConsumer<Long, HashBuild.Entry> taker) {
        for (int i = 0; i < keys.length; i++) {
            HashBuild.Entry first = firsts[i];
            if (first != null) {
                taker.accept(keys[i], first);
            }
        }
    }

    void clear() {
        if (keys.length > SLOTS_MIN) {
            keys = new long[SLOTS_MIN];
            firsts = new HashBuild.Entry[SLOTS_MIN];
            lasts = new HashBuild.Entry[SLOTS_MIN];
        } else {
            Arrays.fill(firsts, null);
            Arrays.fill(lasts, null);
        }
        count = 0;
    }
}
