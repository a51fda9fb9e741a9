package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.profiler.Watched;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Runs a writer and a reader concurrently. Each transaction of the writer raises one half of the airports by a
/// foot and lowers the other by a foot, or takes that back. So the sum of all elevations never changes, unless
/// the reader sees a half-done transaction. While the writer commits, the reader computes the sum row by row, and
/// by SQL.
final class ElevationCheck {
    private static final int SNAPSHOTS_MIN = 10;

    private final Database database;
    private final AtomicBoolean writing = new AtomicBoolean(true);
    private final AtomicLong snapshots = new AtomicLong();

    ElevationCheck(Database database) {
        this.database = database;
    }

    /// Result of the check.
    ///
    /// @param updates of the writer: transactions, rows, time
    /// @param snapshots number of sums that the reader computed in that time
    record Outcome(Rate updates, long snapshots) {}

    /// Runs at least `transactions`, and until the reader has seen enough. In the end all elevations are
    /// unchanged.
    ///
    /// @throws Failure if the reader saw a state that never existed
    @Watched
    Outcome run(String what, int transactions) throws SQLException, Failure, InterruptedException {
        long sum;
        try (Connection connection = database.connect()) {
            sum = new AirQueries(connection).number("SELECT SUM(elev) FROM airports");
        }
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Long> reader = new FutureTask<>(() -> read(sum, begun));
        Thread thread = new Thread(reader, "demo-reader");
        thread.start();
        begun.await();
        Rate updates;
        try {
            updates = write(what, transactions, reader);
        } finally {
            writing.set(false);
            thread.join();
        }
        try {
            return new Outcome(updates, reader.get());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new Failure("the reader failed: " + Failures.message(cause), cause);
        }
    }

    private Rate write(String what, int transactions, FutureTask<Long> reader) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            String sql = "UPDATE airports SET elev = elev + ? WHERE id %s ?";
            try (PreparedStatement raise = connection.prepareStatement(sql.formatted("<="));
                    PreparedStatement lower = connection.prepareStatement(sql.formatted(">"))) {
                long done = 0;
                long rows = 0;
                long started = System.nanoTime();
                while (done < transactions
                        || done % 2 != 0
                        || (snapshots.get() < SNAPSHOTS_MIN && !reader.isDone())) {
                    int feet = done % 2 == 0 ? 1 : -1;
                    rows += update(raise, feet) + update(lower, -feet);
                    connection.commit();
                    done++;
                }
                return new Rate(what, done, rows, System.nanoTime() - started);
            }
        }
    }

    @Watched
    private static int update(PreparedStatement statement, int feet) throws SQLException {
        statement.setInt(1, feet);
        statement.setInt(2, AirRoutes.AIRPORTS / 2);
        return statement.executeUpdate();
    }

    private long read(long sum, CountDownLatch begun) throws SQLException, Failure {
        try (Connection connection = database.connect()) {
            begun.countDown();
            while (writing.get()) {
                readSnapshot(connection, sum);
                snapshots.incrementAndGet();
            }
            return snapshots.get();
        } finally {
            begun.countDown();
        }
    }

    @Watched
    private static void readSnapshot(Connection connection, long sum) throws SQLException, Failure {
        long added = 0;
        try (PreparedStatement query = connection.prepareStatement("SELECT elev FROM airports");
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                added += rows.getInt(1);
            }
        }
        long told = new AirQueries(connection).number("SELECT SUM(elev) FROM airports");
        if (added != sum || told != sum) {
            throw new Failure(
                    String.format(
                            Locale.ROOT,
                            "the elevations add up to %,d row by row and %,d by SUM, and must to %,d",
                            added,
                            told,
                            sum));
        }
    }
}
