package dev.oriel.testkit.history;

/// The outcome of a transaction, as far as its client knows.
public enum Outcome {
    COMMITTED,
    ABORTED,
    /// The commit was requested and never acknowledged. It counts as committed once a committed transaction has
    /// read one of its writes.
    UNKNOWN
}
