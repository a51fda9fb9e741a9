package dev.oriel.store.transaction;

import dev.oriel.store.Slice;

/// The target of a writing transaction's changes, and its view of trees with them.
sealed interface Writes permits BufferedWrites, DirectWrites {
    /// Points `value` at the value of `key`; false if there is none.
    boolean get(long root, Slice key, Slice value);

    /// Maps `key` to `value`. If the key exists and `replace` is not set, does nothing and returns false.
    boolean put(long root, Slice key, Slice value, boolean replace);

    /// Removes `key`; false if there is none.
    boolean delete(long root, Slice key);

    /// Whether the last [#put] or [#delete], if it failed, may have changed anything.
    boolean mayHaveChanged();

    /// Whether it has no writes yet, so that [#forget] can undo all later ones.
    boolean isUntouched();

    /// Forgets all writes since it was untouched.
    void forget();

    /// Makes room in memory before a change in a series of many. No slice may point into this memory.
    void makeRoom();
}
