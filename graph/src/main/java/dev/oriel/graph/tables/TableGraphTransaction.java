package dev.oriel.graph.tables;

import dev.oriel.graph.range.AddedRows;
import dev.oriel.table.engine.Tables;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadLocalTransaction;
import org.jspecify.annotations.Nullable;

/// The transactions of a property graph over tables, one for each thread.
final class TableGraphTransaction extends AbstractThreadLocalTransaction
        implements TableTransactions {
    private final RowGraph graph;
    private final Supplier<Tables> tables;

    @SuppressWarnings("ThreadLocalUsage") // one for each graph
    private final ThreadLocal<@Nullable TableWork> works = new ThreadLocal<>();

    /// Rows added, kept per thread, because a reader may continue in the thread's next transaction.
    @SuppressWarnings("ThreadLocalUsage") // one for each graph
    private final ThreadLocal<AddedRows> added = ThreadLocal.withInitial(AddedRows::new);

    /// @param tables the tables of the database, as long as its handle is open
    TableGraphTransaction(RowGraph graph, Supplier<Tables> tables) {
        super(graph);
        this.graph = graph;
        this.tables = tables;
    }

    @Override
    public TableWork work() {
        TableWork work = works.get();
        if (work == null) {
            throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
        }
        return work;
    }

    @Override
    protected void doOpen() {
        works.set(new TableWork(tables.get(), graph.name(), added.get()));
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
        TableWork work = works.get();
        if (work != null) {
            work.end(commit); // a failed commit stays open, to be rolled back
            works.remove();
        }
    }

    @Override
    public boolean isOpen() {
        return works.get() != null;
    }
}
