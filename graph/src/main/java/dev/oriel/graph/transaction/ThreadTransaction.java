package dev.oriel.graph.transaction;

import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.GraphTransactions;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.range.AddedRows;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadLocalTransaction;
import org.jspecify.annotations.Nullable;

/// The transactions of a graph, one for each thread.
public final class ThreadTransaction extends AbstractThreadLocalTransaction
        implements WorkTransaction {
    private final StoredGraph graph;
    private final GraphTransactions pool;

    @SuppressWarnings("ThreadLocalUsage") // one for each graph
    private final ThreadLocal<@Nullable GraphTransaction> works = new ThreadLocal<>();

    /// Rows added, kept per thread, because a reader may continue in the thread's next transaction.
    @SuppressWarnings("ThreadLocalUsage") // one for each graph
    private final ThreadLocal<AddedRows> added = ThreadLocal.withInitial(AddedRows::new);

    /// Whether any thread has a custom action for reads and writes in an open transaction.
    private volatile boolean custom;

    public ThreadTransaction(StoredGraph graph, GraphTransactions pool) {
        super(graph);
        this.graph = graph;
        this.pool = pool;
    }

    @Override
    public GraphTransaction work() {
        GraphTransaction work = works.get();
        if (work == null) {
            throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
        }
        return work;
    }

    @Override
    public @Nullable GraphTransaction opened() {
        return custom ? null : works.get();
    }

    @Override
    public Transaction onReadWrite(Consumer<Transaction> consumer) {
        if (consumer != READ_WRITE_BEHAVIOR.AUTO && consumer != READ_WRITE_BEHAVIOR.MANUAL) {
            custom = true;
        }
        return super.onReadWrite(consumer);
    }

    @Override
    protected void doOpen() {
        works.set(pool.begin(graph.isStrict(), added.get()));
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
        GraphTransaction work = works.get();
        if (work != null) {
            work.end(commit); // a failed commit stays open, to be rolled back
            works.remove();
            pool.giveBack(work);
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
