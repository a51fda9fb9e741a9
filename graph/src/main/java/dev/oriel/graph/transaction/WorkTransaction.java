package dev.oriel.graph.transaction;

import dev.oriel.graph.element.GraphTransaction;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.jspecify.annotations.Nullable;

/// A transaction as TinkerPop has it, over a [GraphTransaction].
public sealed interface WorkTransaction extends Transaction
        permits ThreadTransaction, SharedTransaction, SnapshotTransaction, JoinedTransaction {
    /// What belongs to the calling thread, once [#readWrite()] has begun it.
    GraphTransaction work();

    /// The same, without beginning anything: null where [#readWrite()] has to look first.
    default @Nullable GraphTransaction opened() {
        return null;
    }

    default Transaction asTransaction() {
        return this;
    }
}
