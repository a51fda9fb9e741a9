package dev.oriel.store.transaction;

import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.CursorCalls;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.tree.TreeReader;
import org.jspecify.annotations.Nullable;

/// A cursor's view of its transaction.
public abstract class CursorOwner extends CursorCalls {
    /// Pages of the snapshot.
    public abstract Pages pages();

    /// Reader over [#pages()].
    abstract TreeReader reader();

    /// Entries of the snapshot that lie above its pages.
    abstract Deltas deltas();

    /// The transaction's write set on top of the snapshot; null if it never writes.
    abstract @Nullable WriteSet writeSet();

    /// The read set, to be validated at commit; null if none is kept.
    @Nullable ReadSet reads() {
        return null;
    }

    /// Registers `cursor` to be told of changes, until it asks not to be ([MergedCursor#unlist()]).
    abstract void register(MergedCursor cursor);

    /// Unregisters `cursor`, which goes to another transaction.
    abstract void forget(MergedCursor cursor);
}
