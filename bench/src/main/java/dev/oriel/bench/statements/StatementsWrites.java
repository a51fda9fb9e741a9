package dev.oriel.bench.statements;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.statements.StatementsWorkload.StatementsPace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/// Rows written by their key in one durability class. `insert`, `update` of an unindexed column, and `delete` are
/// each of one row and committed by itself. `batch-1000` is inserts of 1,000 rows a batch, a transaction each. The
/// clock stops when the database is closed.
final class StatementsWrites {
    private static final int BATCH = 1_000;

    private final SqlSubject subject;
    private final StatementsPace pace;
    private final Durability durability;
    private final Run run;
    private final Path folder;
    private long rows;
    private int next;
    private int oldest;
    private int end;

    StatementsWrites(SqlSubject subject, StatementsPace pace, Durability durability, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.durability = durability;
        this.run = run;
        this.folder = run.folder().resolve("db");
    }

    static List<String> cases(Durability durability) {
        return List.of("insert", "update", "delete", "batch-1000").stream()
                .map(what -> caseName(what, durability))
                .toList();
    }

    private static String caseName(String what, Durability durability) {
        return "statements/" + what + "/" + durability.name().toLowerCase(Locale.ROOT);
    }

    /// One write; returns the number of rows written.
    @FunctionalInterface
    private interface Write {
        int run(PreparedStatement statement) throws SQLException;
    }

    void measure() throws SQLException {
        run.phase("loading");
        Connection connection = subject.connect(folder, durability);
        KeyedRows.create(connection);
        KeyedRows.load(connection, 0, pace.rows());
        subject.close(connection);
        rows = pace.rows();
        next = pace.rows();
        one("insert", KeyedRows.INSERT, true, this::insert);
        one("update", "UPDATE things SET amount = ? WHERE id = ?", true, this::update);
        one("delete", "DELETE FROM things WHERE id = ?", true, this::delete);
        one("batch-1000", KeyedRows.INSERT, false, this::batch);
    }

    private int insert(PreparedStatement statement) throws SQLException {
        KeyedRows.set(statement, next++);
        rows++;
        return changed(statement.executeUpdate());
    }

    private int update(PreparedStatement statement) throws SQLException {
        statement.setInt(1, next);
        statement.setInt(2, KeyedRows.scattered(next++, pace.rows()));
        return changed(statement.executeUpdate());
    }

    /// Deletes the next of its rows; 0 if they are used up.
    private int delete(PreparedStatement statement) throws SQLException {
        boolean any = oldest < end;
        statement.setInt(1, any ? oldest++ : -1);
        int deleted = statement.executeUpdate();
        if (!any) {
            return deleted;
        }
        rows--;
        return changed(deleted);
    }

    private int batch(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < BATCH; i++) {
            KeyedRows.set(statement, next++);
            statement.addBatch();
        }
        int inserted = statement.executeBatch().length;
        statement.getConnection().commit();
        rows += inserted;
        return inserted;
    }

    private static int changed(int count) {
        if (count != 1) {
            throw new IllegalStateException(count + " rows changed");
        }
        return count;
    }

    private void one(String what, String sql, boolean alone, Write write) throws SQLException {
        String caseName = caseName(what, durability);
        if (what.equals("delete")) {
            refill();
        }
        run.phase("warming up " + what);
        Connection connection = subject.connect(folder, durability);
        connection.setAutoCommit(alone);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            long window = pace.warmUp().window().toNanos();
            pace.warmUp().repeat(() -> repeat(statement, write, window));
        }
        finish(connection, alone);
        connection = subject.connect(folder, durability);
        connection.setAutoCommit(alone);
        run.phase("measuring " + what);
        Meter meter = Meter.start();
        long written;
        end = next;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            written = repeat(statement, write, pace.measured().toNanos());
        }
        finish(connection, alone);
        Meter.Reading reading = meter.stop(written);
        if (run.wants(caseName)) {
            run.measured(
                    new Measurement(
                            caseName,
                            "rate",
                            "rows/s",
                            reading.perSecond(),
                            reading.cpuPerOp(),
                            reading.bytesPerOp(),
                            durability,
                            0));
        }
        check();
    }

    private void finish(Connection connection, boolean alone) throws SQLException {
        if (!alone) {
            connection.setAutoCommit(true);
        }
        subject.close(connection);
    }

    /// Adds rows to be deleted, half of them during the warm-up.
    private void refill() throws SQLException {
        int count = pace.rows() * (durability == Durability.SYNC ? 1 : 5);
        oldest = next;
        end = next + count / 2;
        Connection connection = subject.connect(folder, durability);
        KeyedRows.load(connection, next, count);
        subject.close(connection);
        next += count;
        rows += count;
    }

    private long repeat(PreparedStatement statement, Write write, long nanos) throws SQLException {
        long until = System.nanoTime() + nanos;
        long written = 0;
        int more;
        do {
            more = write.run(statement);
            written += more;
        } while (more > 0 && System.nanoTime() < until);
        return Math.max(written, 1);
    }

    private void check() throws SQLException {
        Connection connection = subject.connect(folder, durability);
        long found = KeyedRows.count(connection);
        subject.close(connection);
        if (found != rows) {
            throw new IllegalStateException(found + " rows found, not " + rows);
        }
    }
}
