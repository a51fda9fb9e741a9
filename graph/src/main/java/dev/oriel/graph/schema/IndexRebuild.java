package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.table.Index;
import dev.oriel.table.KeyRange;
import dev.oriel.table.RowCursor;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// An index that is being made anew in a thread of its own. Any thread may ask how far it is, wait for it, or
/// end it.
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
            throw new CancellationException("The index is not made anew; it stays as it was");
        }
        done = looked;
    }

    /// How many elements have been looked at.
    public long done() {
        return done;
    }

    /// How many there were when it began; 0 until that is known.
    public long total() {
        return rows;
    }

    public boolean isDone() {
        return task.isDone();
    }

    /// Ends it soon, unless it is nearly done; the index stays as it was then.
    public void cancel() {
        cancelled = true;
    }

    /// Waits until it has ended.
    ///
    /// @throws CancellationException if it was cancelled
    /// @throws dev.oriel.store.DatabaseException if it failed; the index is as it was then
    public void await() throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                cause.addSuppressed(e); // where it was waited for
                throw cause;
            }
            throw new IllegalStateException(e);
        }
    }
}
