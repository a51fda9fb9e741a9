package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadedTransaction;
import org.jspecify.annotations.Nullable;

/// A transaction that threads share.
final class SharedTransaction extends AbstractThreadedTransaction implements WorkTransaction {
    private final GraphCatalog catalog;
    private final boolean strict;
    private volatile @Nullable GraphWork work;

    SharedTransaction(OrielGraph graph, GraphCatalog catalog) {
        super(graph);
        this.catalog = catalog;
        this.strict = graph.isStrict();
    }

    @Override
    public GraphWork work() {
        GraphWork current = work;
        if (current == null) {
            throw Exceptions.transactionMustBeOpenToReadWrite();
        }
        return current;
    }

    @Override
    protected synchronized void doOpen() {
        if (work == null) {
            GraphWork taken = catalog.takeWork();
            taken.begin(strict);
            work = taken;
        }
    }

    @Override
    protected void doCommit() {
        end(true);
    }

    @Override
    protected void doRollback() {
        end(false);
    }

    private synchronized void end(boolean commit) {
        GraphWork current = work;
        if (current != null) {
            current.end(commit);
            work = null;
            catalog.giveBack(current);
        }
    }

    @Override
    public boolean isOpen() {
        return work != null;
    }
}
