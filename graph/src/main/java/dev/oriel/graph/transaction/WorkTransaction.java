package dev.oriel.graph.transaction;

import dev.oriel.graph.element.GraphTransaction;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.jspecify.annotations.Nullable;

/// A TinkerPop transaction over a [GraphTransaction].
public sealed interface WorkTransaction extends Transaction
        permits ThreadTransaction, SharedTransaction, SnapshotTransaction, JoinedTransaction {
    /// The work of the calling thread, after [#readWrite()] has begun it.
    GraphTransaction work();

    /// The open work, without beginning one; null if [#readWrite()] must be called first.
    default @Nullable GraphTransaction opened() {
        return null;
    }

    default Transaction asTransaction() {
        return this;
    }
}
