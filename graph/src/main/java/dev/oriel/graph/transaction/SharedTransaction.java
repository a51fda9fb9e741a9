package dev.oriel.graph.transaction;

import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.GraphTransactions;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.range.AddedRows;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadedTransaction;
import org.jspecify.annotations.Nullable;

/// A transaction shared by threads. A call after its end is refused, because the [GraphTransaction] is not reused.
public final class SharedTransaction extends AbstractThreadedTransaction
        implements WorkTransaction {
    private final GraphTransactions works;
    private final boolean strict;
    private final AddedRows added = new AddedRows();
    private volatile @Nullable GraphTransaction work;

    public SharedTransaction(StoredGraph graph, GraphTransactions works) {
        super(graph);
        this.works = works;
        this.strict = graph.isStrict();
    }

    @Override
    public GraphTransaction work() {
        GraphTransaction current = work;
        if (current == null) {
            throw Exceptions.transactionMustBeOpenToReadWrite();
        }
        return current;
    }

    @Override
    protected synchronized void doOpen() {
        if (work == null) {
            GraphTransaction taken = works.take();
            taken.begin(strict, added);
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
        GraphTransaction current = work;
        if (current != null) {
            current.end(commit);
            work = null;
            works.drop(current);
        }
    }

    @Override
    public boolean isOpen() {
        return work != null;
    }
}
