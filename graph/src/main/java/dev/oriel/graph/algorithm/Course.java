package dev.oriel.graph.algorithm;

import dev.oriel.graph.memory.Budget;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/// One run of an algorithm: its memory budget, cancellation and progress. Belongs to one thread.
final class Course {
    private static final int EDGES_A_LOOK = 1 << 12;

    private final Budget budget;
    private final LongConsumer progress;
    private final BooleanSupplier cancelled;
    private long edges;
    private long next;

    Course(String what, long memoryBytesMax, LongConsumer progress, BooleanSupplier cancelled) {
        this.budget = new Budget(what, memoryBytesMax);
        this.progress = progress;
        this.cancelled = cancelled;
    }

    Budget budget() {
        return budget;
    }

    /// Counts edges that were read; a vertex without edges counts too.
    ///
    /// @throws CancellationException if it was cancelled
    /// @throws TraversalInterruptedException if the thread has been interrupted
    void read(int count) {
        edges += count + 1;
        if (edges >= next) {
            next = edges + EDGES_A_LOOK;
            look();
        }
    }

    private void look() {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException("The algorithm was cancelled");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new TraversalInterruptedException();
        }
        progress.accept(edges);
    }
}
