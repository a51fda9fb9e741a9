package dev.oriel.graph.tables;

import org.apache.tinkerpop.gremlin.structure.Transaction;

/// A TinkerPop transaction over a [TableWork].
sealed interface TableTransactions extends Transaction permits TableGraphTransaction, TableFace {
    /// The caller's work, after [#readWrite()] has begun it.
    TableWork work();
}
