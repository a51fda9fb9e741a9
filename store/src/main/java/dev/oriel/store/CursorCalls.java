package dev.oriel.store;

/// The transaction of a cursor, as far as the cursor's own calls concern it.
abstract class CursorCalls {
    /// Throws unless the transaction is open.
    abstract void checkOpen();

    /// Begins a call that moves pages beneath the cursor; it ends by [#endCall()].
    void beginCall() {}

    void endCall() {}
}
