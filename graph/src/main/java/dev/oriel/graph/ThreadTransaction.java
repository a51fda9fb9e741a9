package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadLocalTransaction;
import org.jspecify.annotations.Nullable;

/// The transactions of a graph: one a thread.
final class ThreadTransaction extends AbstractThreadLocalTransaction implements WorkTransaction {
    private final OrielGraph graph;
    private final GraphCatalog catalog;

    @SuppressWarnings("ThreadLocalUsage") // one for each graph
    private final ThreadLocal<@Nullable GraphWork> works = new ThreadLocal<>();

    ThreadTransaction(OrielGraph graph, GraphCatalog catalog) {
        super(graph);
        this.graph = graph;
        this.catalog = catalog;
    }

    @Override
    public GraphWork work() {
        GraphWork work = works.get();
        if (work == null) {
            throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
        }
        return work;
    }

    @Override
    protected void doOpen() {
        GraphWork work = catalog.takeWork();
        work.begin(graph.isStrict());
        works.set(work);
    }

    @Override
    protected void doCommit() {
        end(true);
    }

    @Override
    protected void doRollback() {
        end(false);
    }

    private void end(boolean commit) {
        GraphWork work = works.get();
        if (work != null) {
            work.end(commit); // what refuses to commit stays open, to be rolled back
            works.remove();
            catalog.giveBack(work);
        }
    }

    @Override
    public boolean isOpen() {
        return works.get() != null;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
    public <G extends Graph> G createThreadedTx() {
        return (G) graph.threaded();
    }
}
