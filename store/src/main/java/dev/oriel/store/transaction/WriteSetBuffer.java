package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.lock.Locks;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.WriteSetEntries;
import java.util.Arrays;

/// The writes of a transaction to one tree, in order of arrival. This is the first form of a part of a
/// [WriteSet], used while it is small and its key order is not needed. A write is an append, and the commit sorts
/// all entries once; a tree would need a search and moves for each entry.
///
/// While keys ascend, no lookup is needed and later no sort. From the first key out of order on, `slots` is a
/// hash index of the entries.
///
/// It does not accept values too long for a leaf, more than [#BYTES_MAX] bytes, or repeated replacements by
/// values of other lengths. Then all of it becomes a tree.
final class WriteSetBuffer {
    static final int NONE = -1;

    /// Maximum size in bytes; more belongs in a tree, which grows without moving its parts.
    static final int BYTES_MAX = 1 << 20;

    private static final int BYTES_KEPT_MAX = 256 << 10;
    private static final int SLOTS_MIN = 64;
    private static final int SLOTS_KEPT_MAX = 16_384;

    private final WriteSetEntries entries = new WriteSetEntries(Page.BYTES, BYTES_KEPT_MAX);
    private long root;

    /// Bytes of replaced entries.
    private long replacedBytes;

    /// Whether each key is greater than the one before.
    private boolean ascending = true;

    /// Hash index by key, open addressing: entry index + 1. Used once keys do not ascend.
    private int[] slots = {};

    private final Slice key = new Slice();

    /// Begins buffering writes to the tree `root`.
    void begin(long root) {
        this.root = root;
    }

    /// Root of the real tree that it belongs to.
    long root() {
        return root;
    }

    int count() {
        return entries.count();
    }

    /// Native bytes allocated.
    long memoryBytes() {
        return entries.capacity();
    }

    /// The entries; in key order after [#sort].
    WriteSetEntries entries() {
        return entries;
    }

    /// Whether the buffer accepts the entry.
    boolean takes(Slice wanted, Slice value) {
        long size = WriteSetEntries.sizeOf(wanted, value);
        return size <= Node.CELL_BYTES_MAX
                && entries.used() + size <= BYTES_MAX
                && replacedBytes <= Page.BYTES + entries.used() / 2;
    }

    /// Returns the entry of `wanted`, or NONE.
    int find(Slice wanted) {
        long head = WriteSetEntries.head(wanted);
        return ascending ? search(wanted, head) : slots[slot(wanted, head)] - 1;
    }

    /// Points `out` at the value of entry `index`; false if it is a removal.
    boolean value(int index, Slice out) {
        if (WriteSetEntries.valueBytes(entries.bytes(), entries.start(index)) < 0) {
            return false;
        }
        entries.value(index, out);
        return true;
    }

    /// Returns the index of `wanted`, for ascending keys; -1 less the insertion point if there is none.
    private int place(Slice wanted, long head) {
        int low = 0;
        int high = entries.count();
        if (high > 0) {
            int order = entries.compare(high - 1, wanted, head);
            if (order <= 0) {
                return order == 0 ? high - 1 : -1 - high;
            }
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = entries.compare(middle, wanted, head);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1 - low;
    }

    private int search(Slice wanted, long head) {
        return Math.max(NONE, place(wanted, head));
    }

    /// Returns the slot of `wanted`, or the empty one for it.
    private int slot(Slice wanted, long head) {
        int mask = slots.length - 1;
        int slot = hash(wanted) & mask;
        while (slots[slot] != 0 && entries.compare(slots[slot] - 1, wanted, head) != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int hash(Slice wanted) {
        return (int) Locks.hash(root, wanted);
    }

    /// Maps `changed` to `becomes`, an entry that it [#takes]. Returns whether the key is new.
    boolean put(Slice changed, Slice becomes) {
        long head = WriteSetEntries.head(changed);
        int count = entries.count();
        if (ascending) {
            int place = place(changed, head);
            if (place >= 0) {
                replace(place, changed, becomes);
                return false;
            }
            if (place == -1 - count) {
                entries.add(changed, becomes);
                return true;
            }
            hashAll();
        } else if (2 * (count + 1) > slots.length) {
            hashAll();
        }
        int slot = slot(changed, head);
        if (slots[slot] != 0) {
            replace(slots[slot] - 1, changed, becomes);
            return false;
        }
        entries.add(changed, becomes);
        slots[slot] = count + 1;
        return true;
    }

    private void replace(int index, Slice changed, Slice becomes) {
        int before = entries.used();
        entries.replace(index, changed, becomes);
        replacedBytes += entries.used() - before;
    }

    private void hashAll() {
        int count = entries.count();
        int length = Math.max(SLOTS_MIN, slots.length);
        while (length < 4 * (count + 1)) {
            length *= 2;
        }
        if (length == slots.length) {
            Arrays.fill(slots, 0);
        } else {
            slots = new int[length];
        }
        int mask = length - 1;
        for (int i = 0; i < count; i++) {
            entries.key(i, key);
            int slot = hash(key) & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = i + 1;
        }
        ascending = false;
    }

    /// Sorts [#entries] by key.
    void sort() {
        if (!ascending) {
            entries.sort();
            ascending = true;
        }
    }

    /// Whether each key is greater than the one before.
    boolean isAscending() {
        return ascending;
    }

    /// Whether its memory is worth keeping.
    boolean isSmall() {
        return entries.capacity() <= BYTES_KEPT_MAX;
    }

    /// Forgets everything; keeps the memory of a small one.
    void clear() {
        entries.clear();
        replacedBytes = 0;
        ascending = true;
        if (slots.length > SLOTS_KEPT_MAX) {
            slots = new int[0];
        }
    }
}
