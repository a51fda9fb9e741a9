package dev.oriel.bench.measure;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Runs statements and ends them if they take longer than a limit: by the driver's own timeout, and by a call of
/// `cancel`; drivers heed the one or the other. All run on one thread, so that thread-local state of a driver
/// stays.
public final class TimeLimit implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Duration limit;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> Thread.ofPlatform().daemon().name("statements").unstarted(task));

    /// @param limit time limit of each statement
    public TimeLimit(Duration limit) {
        this.limit = limit;
    }

    /// The work of a statement.
    @FunctionalInterface
    public interface Work {
        long run(Statement statement) throws SQLException;
    }

    /// The result of a statement.
    ///
    /// @param result result of the work; 0 if it did not end in time
    public record Outcome(long result, long nanos, boolean inTime) {}

    /// A statement that continues after its cancellation: nothing more can be measured.
    public static final class Unstoppable extends Exception {
        private static final long serialVersionUID = 1;

        private Unstoppable(Duration limit) {
            super("it went on for " + GRACE + " after its limit of " + limit);
        }
    }

    /// Runs `work` on `statement`.
    public Outcome run(Statement statement, Work work)
            throws SQLException, InterruptedException, Unstoppable {
        try {
            statement.setQueryTimeout(Math.toIntExact(Math.max(1, limit.toSeconds())));
        } catch (SQLFeatureNotSupportedException e) {
            // Without a timeout in the driver, `cancel` ends the statement.
            statement.clearWarnings();
        }
        Future<Outcome> future =
                thread.submit(() -> {
                    long start = System.nanoTime();
                    try {
                        long result = work.run(statement);
                        long nanos = System.nanoTime() - start;
                        return new Outcome(result, nanos, nanos <= limit.toNanos());
                    } catch (SQLException e) {
                        long nanos = System.nanoTime() - start;
                        if (nanos < limit.toNanos() * 9 / 10) {
                            throw e;
                        }
                        return new Outcome(0, nanos, false);
                    }
                });
        Outcome outcome = ended(future, limit);
        if (outcome != null) {
            return outcome;
        }
        try {
            statement.cancel();
        } catch (SQLFeatureNotSupportedException e) {
            statement.clearWarnings(); // it is ended by its timeout then
        }
        outcome = ended(future, GRACE);
        if (outcome == null) {
            throw new Unstoppable(limit);
        }
        return outcome;
    }

    private static @Nullable Outcome ended(Future<Outcome> future, Duration within)
            throws SQLException, InterruptedException {
        try {
            return future.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
