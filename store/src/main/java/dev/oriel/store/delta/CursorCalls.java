package dev.oriel.store.delta;

/// The transaction of a cursor, as far as the cursor's own calls concern it.
public abstract class CursorCalls {
    /// Throws unless the transaction is open.
    public abstract void checkOpen();

    /// Begins a call that moves pages beneath the cursor; it ends by [#endCall()].
    public void beginCall() {}

    public void endCall() {}
}
