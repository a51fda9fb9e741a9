package dev.oriel;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ConflictException;
import dev.oriel.store.UsageException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The attempts of [Database#transact] at one transaction, until one commits or the time has expired.
final class Attempts {
    private static final long FIRST_PAUSE_NANOS = 50_000;
    private static final int DOUBLINGS_MAX = 10;
    private static final Probe TRANSACT = Probe.of(Database.class, "transact");

    /// The transaction that the thread runs.
    @SuppressWarnings("ThreadLocalUsage") // one for all databases: a thread runs one at a time
    private static final ThreadLocal<@Nullable Transaction> CURRENT = new ThreadLocal<>();

    private final long deadlineNanos;

    Attempts(Duration timeout) {
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    /// The transaction that the calling thread runs; null if it runs none.
    static @Nullable Transaction current() {
        return CURRENT.get();
    }

    <R, E extends Exception> R run(Supplier<Transaction> begin, Database.Work<R, E> work) throws E {
        if (CURRENT.get() != null) {
            throw new UsageException(
                    "This thread runs a transaction already, which might wait for itself; use that"
                            + " one, or begin() one of its own",
                    "");
        }
        for (int attempt = 0; ; attempt++) {
            Transaction transaction = begin.get();
            long entered = TRANSACT.enter();
            try (transaction) {
                R result;
                CURRENT.set(transaction);
                try {
                    result = work.run(transaction);
                } finally {
                    CURRENT.remove();
                }
                if (!transaction.hasEnded()) { // by the work itself
                    transaction.commit();
                }
                return result;
            } catch (Exception e) {
                if (transaction.isCommitted() // so a hook has failed
                        || !mayPass(e)
                        || System.nanoTime() - deadlineNanos > 0) {
                    throw e;
                }
            } finally {
                TRANSACT.exit(entered);
            }
            long most = FIRST_PAUSE_NANOS << Math.min(attempt, DOUBLINGS_MAX);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
        }
    }

    /// Whether a conflict is the cause of `failure`: JDBC and Gremlin wrap it.
    private static boolean mayPass(Throwable failure) {
        int depth = 0;
        for (Throwable cause = failure; cause != null && depth < 20; cause = cause.getCause()) {
            if (cause instanceof ConflictException conflict) {
                return conflict.mayPass();
            }
            depth++;
        }
        return false;
    }
}
