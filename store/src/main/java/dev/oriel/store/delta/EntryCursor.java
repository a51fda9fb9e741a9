package dev.oriel.store.delta;

import dev.oriel.store.Slice;

/// A position in entries that are ordered by key: those of a tree of pages, or of a [Delta]. Several are merged
/// into a cursor of a transaction, which documents the contract of the methods.
public interface EntryCursor {
    boolean seek(Slice key);

    boolean seekBefore(Slice key);

    boolean first();

    boolean last();

    boolean next();

    boolean previous();

    boolean isPositioned();

    /// Makes the cursor unpositioned.
    void leave();

    int keyLength();

    int compareKeyTo(Slice key);

    boolean keyStartsWith(Slice wanted);

    void key(Slice out);

    void value(Slice out);

    int valueLength();

    /// Points `out` at the first bytes of the value.
    void valueHead(Slice out);

    /// Copies the key into the own memory of `out`.
    void copyKeyTo(Slice out);

    /// Whether the entry is a removal.
    boolean isAbsent();
}
