package dev.oriel.graph.tables;

import dev.oriel.graph.transaction.FaceTransaction;
import org.apache.tinkerpop.gremlin.structure.Graph;

/// The transaction of a property graph over tables that is one face of a [dev.oriel.Transaction].
public final class TableFace extends FaceTransaction implements TableTransactions {
    private final RowGraph graph;
    private final TableWork work;

    TableFace(RowGraph graph, TableWork work) {
        super(graph);
        this.graph = graph;
        this.work = work;
    }

    /// The graph within the transaction.
    public RowGraph graph() {
        return graph;
    }

    @Override
    public TableWork work() {
        checkOpen();
        return work;
    }

    @Override
    protected void end(boolean committed) {
        work.ended(committed);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
    public <G extends Graph> G createThreadedTx() {
        throw notOwn();
    }
}
