package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.key.KeyRange;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A running rebuild of an index in a thread of its own. Any thread may query its progress, wait for it, or cancel
/// it.
public final class IndexRebuild {
    private final FutureTask<Void> task;
    private volatile long rows;
    private volatile long done;
    private volatile boolean cancelled;

    IndexRebuild(GraphDefinitions definitions, GraphCatalog catalog, Table table, Index index) {
        this.task =
                new FutureTask<>(
                        () -> {
                            rows = count(catalog, table);
                            definitions.replaceIndex(index, index, this::at);
                            done = rows;
                        },
                        null);
        Thread.ofPlatform().daemon().name("oriel-rebuild").start(task);
    }

    private static long count(GraphCatalog catalog, Table table) {
        try (TableTransaction transaction = catalog.tables().beginRead()) {
            RowCursor cursor = transaction.cursor(table, null);
            cursor.open(transaction, new KeyRange(table.primaryKey().size()), false);
            long count = 0;
            while (cursor.next()) {
                count++;
            }
            return count;
        }
    }

    private void at(long looked) {
        if (cancelled) {
            throw new CancellationException("The index was not rebuilt; it stays as it was");
        }
        done = looked;
    }

    /// Number of elements processed so far.
    public long done() {
        return done;
    }

    /// Number of elements at the start; 0 until it is known.
    public long total() {
        return rows;
    }

    public boolean isDone() {
        return task.isDone();
    }

    /// Cancels it soon, unless it is nearly done; the old index stays then.
    public void cancel() {
        cancelled = true;
    }

    /// Waits until it has ended.
    ///
    /// @throws CancellationException if it was cancelled
    /// @throws dev.oriel.store.DatabaseException if it failed; the old index stays then
    public void await() throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                cause.addSuppressed(e); // for the stack trace of the waiting thread
                throw cause;
            }
            throw new IllegalStateException(e);
        }
    }
}
