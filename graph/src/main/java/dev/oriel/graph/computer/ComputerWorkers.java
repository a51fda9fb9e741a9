package dev.oriel.graph.computer;

import dev.oriel.graph.transaction.SnapshotTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/// Threads that share the work of a round: each takes the next unclaimed part. An interrupt of the waiting thread
/// ends the round, as does an error in a worker.
final class ComputerWorkers implements AutoCloseable {
    private static final int PART = 64;

    private final int count;
    private final SnapshotTransaction snapshot;
    private final ComputerBudget budget;
    private final ExecutorService executor;

    ComputerWorkers(int count, SnapshotTransaction snapshot, ComputerBudget budget) {
        this.count = count;
        this.snapshot = snapshot;
        this.budget = budget;
        this.executor =
                Executors.newFixedThreadPool(
                        count, Thread.ofPlatform().daemon().name("oriel-computer-", 0).factory());
    }

    /// The work of one thread in a round: begin, process some of the items, end.
    interface Stint {
        default void begin() {}

        void see(int to);

        default void end() {}
    }

    /// Runs all threads over the items 0 to `size`, each with a stint of its own.
    void run(int size, Supplier<Stint> stints) {
        AtomicLong next = new AtomicLong();
        List<Stint> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(stints.get());
        }
        List<Future<?>> running = new ArrayList<>();
        all.forEach(each -> running.add(executor.submit(() -> run(size, next, each))));
        RuntimeException failure = null;
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw interrupted(e);
            } catch (ExecutionException e) {
                failure = failure == null ? unwrapped(e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException unwrapped(ExecutionException e) {
        return switch (e.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> new IllegalStateException(e.getCause());
        };
    }

    private static TraversalInterruptedException interrupted(InterruptedException cause) {
        TraversalInterruptedException interrupted = new TraversalInterruptedException();
        interrupted.initCause(cause);
        return interrupted;
    }

    private void run(int size, AtomicLong next, Stint stint) {
        snapshot.enter();
        boolean done = false;
        try {
            stint.begin();
            long from = next.getAndAdd(PART);
            while (from < size) {
                for (int i = (int) from; i < Math.min(from + PART, size); i++) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new TraversalInterruptedException();
                    }
                    stint.see(i);
                }
                budget.check();
                from = next.getAndAdd(PART);
            }
            stint.end();
            done = true;
        } finally {
            if (!done) {
                next.set(size); // the others need not go on
            }
            snapshot.leave();
        }
    }

    /// Ends the running work, and waits for that.
    @Override
    public void close() {
        executor.shutdownNow();
        executor.close();
    }
}
