package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.structure.Transaction;

/// A transaction as TinkerPop has it, over a [GraphWork].
sealed interface WorkTransaction extends Transaction
        permits ThreadTransaction, SharedTransaction, SnapshotTransaction {
    /// What belongs to the calling thread, once [#readWrite()] has begun it.
    GraphWork work();

    default Transaction asTransaction() {
        return this;
    }
}
