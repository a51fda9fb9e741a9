package dev.oriel.store.delta;

import dev.oriel.store.Slice;
import dev.oriel.store.page.KeyHash;
import org.jspecify.annotations.Nullable;

/// The entries that commits have gathered above the pages, as one commit left them: immutable, part of a `State`. Of
/// two entries with one key, the one here counts.
///
/// There are at most two layers. The newest takes the entries of commits. The older one takes no more entries and is
/// being absorbed: its entries go into pages in the order of their keys. An entry that is in pages already does no
/// harm, since both are equal.
///
/// @param newest null if there is none
/// @param older null if no layer is being absorbed
/// @param sinceTxid txid of the last commit before all of these entries
/// @param sinceLsn end of its record in the log
public record Deltas(@Nullable Delta newest, @Nullable Delta older, long sinceTxid, long sinceLsn) {
    public static final Deltas NONE = new Deltas(null, null, 0, 0);

    public boolean isEmpty() {
        return newest == null && older == null;
    }

    /// Whether it has entries of the tree `root`.
    public boolean has(long root) {
        return (newest != null && newest.top(root) != Delta.NO_NODE)
                || (older != null && older.top(root) != Delta.NO_NODE);
    }

    /// Number of entries, removals included. A key with entries in both layers counts twice.
    public long entries() {
        return (newest == null ? 0 : newest.entries()) + (older == null ? 0 : older.entries());
    }

    /// Bytes of all entries, superseded ones included.
    public long bytes() {
        return (newest == null ? 0 : newest.bytes()) + (older == null ? 0 : older.bytes());
    }

    /// Number of entries that cursors have passed, about.
    public long passed() {
        return (newest == null ? 0 : newest.passes().count())
                + (older == null ? 0 : older.passes().count());
    }

    /// Looks `key` up in the tree `root`; points `out` at the value if there is one.
    public Found find(long root, Slice key, Slice out) {
        if (isEmpty()) {
            return Found.NOTHING;
        }
        long hash = KeyHash.of(root, key);
        Found found = newest == null ? Found.NOTHING : newest.find(root, key, hash, out);
        return found == Found.NOTHING && older != null ? older.find(root, key, hash, out) : found;
    }

    /// Estimates the number of entries of the tree `root` from `low` to `high` (null for the end).
    public long estimate(long root, Slice low, @Nullable Slice high) {
        return (newest == null ? 0 : newest.estimate(root, low, high))
                + (older == null ? 0 : older.estimate(root, low, high));
    }

    /// Whether `key` of the tree `root` has one and the same entry in the newest layer here and in `other`.
    public boolean isSame(Deltas other, long root, Slice key) {
        Delta mine = newest;
        Delta others = other.newest;
        return mine != null && others != null && mine.hasSame(others, root, key);
    }
}
