package dev.oriel.store;

import org.jspecify.annotations.Nullable;

/// What a cursor needs of its transaction.
abstract class CursorOwner {
    /// Throws unless the transaction is open.
    abstract void checkOpen();

    /// A call begins that moves pages beneath the cursor; it ends by [#endCall()].
    void beginCall() {}

    void endCall() {}

    /// Of the snapshot.
    abstract Pages pages();

    /// Over [#pages()].
    abstract TreeReader reader();

    /// What the transaction has written on top of the snapshot; null where it never does.
    abstract @Nullable WriteSet writeSet();

    /// Where it keeps what it reads, to prove at commit that it still holds; null where it need not.
    @Nullable ReadSet reads() {
        return null;
    }

    /// `cursor` is to be told of changes, until it says that it need not be ([MergedCursor#unlist()]).
    abstract void register(MergedCursor cursor);

    /// `cursor` goes to another transaction.
    abstract void forget(MergedCursor cursor);
}
