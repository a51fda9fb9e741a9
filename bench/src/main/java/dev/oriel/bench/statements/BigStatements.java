package dev.oriel.bench.statements;

import dev.oriel.bench.Answer;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import dev.oriel.bench.measure.TimeLimit;
import dev.oriel.bench.measure.TimeLimit.Outcome;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.statements.StatementsWorkload.StatementsPace;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/// Two queries on many rows in a small heap: `sort` by an unindexed text, reading every row; `join` of two tables
/// of equal size by an unindexed number. Each runs once, since only the first run allocates the memory. `memory`
/// is the peak memory of the process up to its end.
final class BigStatements {
    private static final int BATCH = 1_000;
    private static final int PLACES = 10_000_019;

    private final SqlSubject subject;
    private final StatementsPace pace;
    private final Run run;

    BigStatements(SqlSubject subject, StatementsPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
    }

    static List<String> cases(int rows) {
        return List.of("statements/sort/" + rows, "statements/join/" + rows);
    }

    void measure() throws SQLException, IOException, InterruptedException {
        run.phase("loading");
        Path folder = run.folder().resolve("db");
        Connection connection = subject.connect(folder, subject.usual());
        fill(connection, "big");
        fill(connection, "other");
        subject.close(connection);
        connection = subject.connect(folder, subject.usual());
        List<String> cases = cases(pace.bigRows());
        try (TimeLimit limit = new TimeLimit(pace.bigLimit())) {
            one(connection, cases.get(0), "SELECT name, id FROM big ORDER BY name, id", limit);
            one(
                    connection,
                    cases.get(1),
                    "SELECT COUNT(*), SUM(x.id), SUM(y.id) FROM big x JOIN other y ON y.place = x.place",
                    limit);
            subject.close(connection);
        } catch (TimeLimit.Unstoppable e) {
            run.cannot(cases.get(1), String.valueOf(e.getMessage()));
        }
    }

    private static int place(int id) {
        return (int) ((long) id * 7_919 % PLACES);
    }

    private static String name(int id) {
        return "called by %08d".formatted(PLACES - place(id));
    }

    private void fill(Connection connection, String table) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE "
                            + table
                            + " (id INTEGER NOT NULL PRIMARY KEY, place INTEGER NOT NULL, name"
                            + " VARCHAR(40) NOT NULL)");
        }
        if (subject.tuning().copy().isNone()) {
            insert(connection, table);
        } else {
            Path file = run.folder().resolve(table + ".csv");
            try (BufferedWriter lines = Files.newBufferedWriter(file)) {
                for (int id = 0; id < pace.bigRows(); id++) {
                    lines.write(id + "|" + place(id) + "|" + name(id) + "\n");
                }
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(subject.tuning().copy().of(table, file));
            }
        }
    }

    private void insert(Connection connection, String table) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?)")) {
            for (int id = 0; id < pace.bigRows(); id++) {
                insert.setInt(1, id);
                insert.setInt(2, place(id));
                insert.setString(3, name(id));
                insert.addBatch();
                if ((id + 1) % BATCH == 0 || id + 1 == pace.bigRows()) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
        }
        connection.setAutoCommit(true);
    }

    private void one(Connection connection, String caseName, String sql, TimeLimit limit)
            throws SQLException, IOException, InterruptedException, TimeLimit.Unstoppable {
        if (!run.wants(caseName)) {
            return;
        }
        run.phase("measuring " + caseName);
        try (Statement statement = connection.createStatement()) {
            Meter meter = Meter.start();
            Outcome outcome = limit.run(statement, one -> read(one, sql));
            Meter.Reading reading = meter.stop(1);
            if (!outcome.inTime()) {
                run.cannot(caseName, "it takes longer than the limit of " + pace.bigLimit());
                return;
            }
            run.measured(
                    new Measurement(
                            caseName,
                            "time",
                            "ms",
                            outcome.nanos() / 1e6,
                            reading.cpuPerOp(),
                            reading.bytesPerOp(),
                            subject.usual(),
                            outcome.result()));
            long memory = RunFiles.peakMemoryBytes();
            if (memory > 0) {
                run.figure(caseName, "memory", "bytes", (double) memory, subject.usual());
            }
        } catch (OutOfMemoryError e) {
            run.cannot(
                    caseName, "the heap of " + pace.bigHeap() + " is too small: " + e.getMessage());
        }
    }

    private static long read(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            return Answer.sum(rows);
        }
    }
}
