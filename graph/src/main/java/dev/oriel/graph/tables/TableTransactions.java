package dev.oriel.graph.tables;

import org.apache.tinkerpop.gremlin.structure.Transaction;

/// A transaction as TinkerPop has it, over a [TableWork].
sealed interface TableTransactions extends Transaction permits TableGraphTransaction, TableFace {
    /// The work of the caller, once [#readWrite()] has begun it.
    TableWork work();
}
