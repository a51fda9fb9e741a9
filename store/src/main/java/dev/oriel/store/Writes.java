package dev.oriel.store;

/// Where a writing transaction puts its changes, and how it sees trees with them.
sealed interface Writes permits BufferedWrites, DirectWrites {
    /// Points `value` at what `key` maps to; false where there is nothing.
    boolean get(long root, Slice key, Slice value);

    /// Maps `key` to `value`; where the key exists and `replace` is not set, does nothing and returns
    /// false.
    boolean put(long root, Slice key, Slice value, boolean replace);

    /// Removes `key`; false where there is none.
    boolean delete(long root, Slice key);

    /// Whether the last [#put] or [#delete], where it has failed, may have changed anything.
    boolean mayHaveChanged();

    /// Whether nothing was written that [#forget] would not undo: there is nothing.
    boolean isUntouched();

    /// Forgets all that was written, of writes that began untouched.
    void forget();

    /// Before one of many changes in a row, of which no slice lies here: sees to it that memory suffices.
    void makeRoom();
}
