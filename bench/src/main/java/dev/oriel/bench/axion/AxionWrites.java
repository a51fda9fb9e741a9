package dev.oriel.bench.axion;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.sql.SqlSubject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/// The writing cases, in one durability class. `insert` inserts rows into empty tables with an index, 5,000 per
/// transaction. `update` updates the indexed column of one row per transaction. `delete-insert` is one operation of
/// two transactions.
///
/// The clock of a database on disk includes closing it, so that no work is left undone. It was reopened before, so
/// that no work remains from the warm-up.
final class AxionWrites {
    private static final int CHECKED = 200;
    private static final int TABLES_MIN = 4;
    private static final int TABLES_MAX = 60;

    private final SqlSubject subject;
    private final AxionPace pace;
    private final Durability durability;
    private final Run run;
    private final AxionWords words;
    private final AxionTable table;

    AxionWrites(SqlSubject subject, AxionPace pace, Durability durability, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.durability = durability;
        this.run = run;
        words = AxionWords.of(pace.rows(), run.seed());
        table = new AxionTable(subject, words);
    }

    /// The name of a case. It includes the class, since figures are comparable only within a class.
    static String caseName(String what, Durability durability) {
        return "axion/" + what + "/" + durability.name().toLowerCase(Locale.ROOT);
    }

    void measure() throws SQLException {
        String insert = caseName("insert", durability);
        if (run.wants(insert)) {
            insert(insert);
        }
        modify("update", false);
        modify("delete-insert", true);
    }

    private void insert(String caseName) throws SQLException {
        run.phase("warming up inserts");
        Path folder = run.folder().resolve("insert");
        Connection connection = subject.connect(folder, durability);
        long fastest = warmUpInserts(connection);
        int tables = Math.clamp(pace.write().toNanos() / fastest + 1, TABLES_MIN, TABLES_MAX);
        for (int i = 0; i < tables; i++) {
            table.create(connection, "full" + i);
        }
        connection = reopen(connection, folder);
        run.phase("inserting");
        Meter meter = Meter.start();
        for (int i = 0; i < tables; i++) {
            table.load(connection, "full" + i);
        }
        if (!subject.inMemory()) {
            subject.close(connection);
        }
        Meter.Reading reading = meter.stop((long) tables * words.rows());
        if (!subject.inMemory()) {
            connection = subject.connect(folder, durability);
        }
        long sum = 0;
        for (int i = 0; i < tables; i++) {
            sum = table.sum(connection, "full" + i); // each fails unless it is complete
        }
        subject.close(connection);
        tell(caseName, "rows/s", reading, sum);
    }

    /// Fills one table after the other; returns the time of the fastest.
    private long warmUpInserts(Connection connection) throws SQLException {
        long[] fastest = {Long.MAX_VALUE};
        pace.warmUp()
                .repeat(() -> {
                    table.create(connection, "warm");
                    long before = System.nanoTime();
                    table.load(connection, "warm");
                    fastest[0] = Math.min(fastest[0], System.nanoTime() - before);
                    drop(connection, "warm");
                    return words.rows();
                });
        return fastest[0];
    }

    private static void drop(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE " + name);
        }
    }

    private void modify(String what, boolean replacing) throws SQLException {
        String caseName = caseName(what, durability);
        if (!run.wants(caseName)) {
            return;
        }
        run.phase("warming up " + what);
        Path folder = run.folder().resolve(what);
        Connection connection = table.make(folder, durability);
        AxionRows rows = new AxionRows(words);
        long sum;
        try (Change change = new Change(connection, rows, replacing)) {
            for (int i = 0; i < CHECKED; i++) {
                change.run();
            }
            sum = table.sum(connection, AxionTable.NAME);
            long window = pace.warmUp().window().toNanos();
            pace.warmUp().repeat(() -> repeat(change, window));
        }
        connection = reopen(connection, folder);
        run.phase("measuring " + what);
        Meter meter = Meter.start();
        long changes;
        try (Change change = new Change(connection, rows, replacing)) {
            changes = repeat(change, pace.write().toNanos());
        }
        if (!subject.inMemory()) {
            subject.close(connection);
        }
        tell(caseName, "ops/s", meter.stop(changes), sum);
        if (!subject.inMemory()) {
            connection = subject.connect(folder, durability);
        }
        table.sum(connection, AxionTable.NAME); // fails unless all rows are there
        subject.close(connection);
    }

    private static long repeat(Change change, long nanos) throws SQLException {
        long start = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - start < nanos) {
            change.run();
            count++;
        }
        return count;
    }

    private Connection reopen(Connection connection, Path folder) throws SQLException {
        if (subject.inMemory()) {
            return connection;
        }
        subject.close(connection);
        return subject.connect(folder, durability);
    }

    private void tell(String caseName, String unit, Meter.Reading reading, long sum) {
        run.measured(
                new Measurement(
                        caseName,
                        "rate",
                        unit,
                        reading.perSecond(),
                        reading.cpuPerOp(),
                        reading.bytesPerOp(),
                        durability,
                        sum));
    }

    /// Modifications one after the other, each acknowledged before the next.
    private static final class Change implements AutoCloseable {
        private final AxionRows rows;
        private final boolean replacing;
        private final PreparedStatement update;
        private final PreparedStatement delete;
        private final PreparedStatement insert;

        Change(Connection connection, AxionRows rows, boolean replacing) throws SQLException {
            this.rows = rows;
            this.replacing = replacing;
            update = connection.prepareStatement("UPDATE mytable SET val = ? WHERE val = ?");
            delete = connection.prepareStatement("DELETE FROM mytable WHERE val = ?");
            insert = connection.prepareStatement("INSERT INTO mytable VALUES (?, ?)");
        }

        void run() throws SQLException {
            int count;
            if (replacing) {
                delete.setString(1, rows.word());
                count = delete.executeUpdate();
                insert.setString(1, rows.other());
                insert.setString(2, rows.second());
                count = Math.min(count, insert.executeUpdate());
            } else {
                update.setString(1, rows.other());
                update.setString(2, rows.word());
                count = update.executeUpdate();
            }
            if (count != 1) {
                throw new IllegalStateException("Not one row changed at " + rows.word());
            }
            rows.swap();
        }

        @Override
        public void close() throws SQLException {
            update.close();
            delete.close();
            insert.close();
        }
    }
}
