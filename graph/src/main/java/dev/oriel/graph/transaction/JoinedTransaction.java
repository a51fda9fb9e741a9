package dev.oriel.graph.transaction;

import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.StoredGraph;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/// The transaction of a graph that is a face of a [dev.oriel.Transaction]: open as long as the other.
public final class JoinedTransaction extends FaceTransaction implements WorkTransaction {
    private final StoredGraph graph;
    private final GraphTransaction work;

    public JoinedTransaction(StoredGraph graph, GraphTransaction work) {
        super(graph);
        this.graph = graph;
        this.work = work;
    }

    /// The graph within the transaction.
    public StoredGraph graph() {
        return graph;
    }

    @Override
    public GraphTransaction work() {
        checkOpen();
        return work;
    }

    @Override
    public @Nullable GraphTransaction opened() {
        return isOpen() && !isCustom() ? work : null;
    }

    @Override
    protected void end(boolean committed) {
        work.end(committed);
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as the interface has it
    public <G extends Graph> G createThreadedTx() {
        throw notOwn();
    }
}
