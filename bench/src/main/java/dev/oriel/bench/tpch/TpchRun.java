package dev.oriel.bench.tpch;

import dev.oriel.bench.Answer;
import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import dev.oriel.bench.measure.TimeLimit;
import dev.oriel.bench.measure.TimeLimit.Outcome;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.sql.Tuning;
import dev.oriel.bench.tpch.TpchWorkload.TpchPace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Loads the tables into one database, and asks the questions.
final class TpchRun {
    private final SqlSubject subject;
    private final TpchPace pace;
    private final Run run;
    private final Path database;
    private final Durability durability;

    TpchRun(SqlSubject subject, TpchPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
        this.database = run.folder().resolve("db");
        this.durability = subject.usual();
    }

    void measure() throws SQLException, IOException, InterruptedException {
        Path files = Files.createDirectories(run.folder().resolve("rows"));
        run.phase("writing rows");
        long rows = 0;
        for (String table : TpchTables.names()) {
            boolean quoted = subject.tuning().copy().quoted();
            rows += TpchTables.write(table, pace.factor(), files.resolve(table), quoted);
        }
        load(files, rows);
        for (String table : TpchTables.names()) {
            Files.delete(files.resolve(table));
        }
        Files.delete(files);
        ask();
    }

    private void load(Path files, long rows) throws SQLException, IOException {
        Tuning tuning = subject.tuning();
        run.phase("loading");
        Meter meter = Meter.start();
        Connection connection = subject.connect(database, durability);
        execute(connection, tuning.questions());
        for (String table : TpchTables.names()) {
            boolean keyed = tuning.indexes() != Tuning.Indexes.NONE;
            execute(connection, TpchTables.create(table, keyed));
        }
        if (tuning.indexes() == Tuning.Indexes.BEFORE_ROWS) {
            execute(connection, TpchTables.indexes());
        }
        execute(connection, tuning.loading());
        for (String table : TpchTables.names()) {
            Path file = files.resolve(table);
            if (tuning.copy().isNone()) {
                TpchTables.insert(connection, table, file, subject.dialect());
            } else {
                execute(connection, tuning.copy().of(table, file));
            }
        }
        if (tuning.indexes() == Tuning.Indexes.BEHIND_ROWS) {
            execute(connection, TpchTables.indexes());
        }
        for (String view : TpchQueries.definitions(subject.dialect())) {
            execute(connection, view);
        }
        execute(connection, tuning.loaded());
        subject.close(connection);
        Meter.Reading reading = meter.stop(rows);
        String caseName = TpchWorkload.caseName("load", pace);
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
        long bytes = RunFiles.bytes(run.folder()) - RunFiles.bytes(files);
        run.figure(caseName, "file", "bytes", (double) bytes, durability);
    }

    private static void execute(Connection connection, List<String> statements)
            throws SQLException {
        for (String statement : statements) {
            execute(connection, statement);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void ask() throws SQLException, IOException, InterruptedException {
        Connection connection = subject.connect(database, durability);
        execute(connection, subject.tuning().questions());
        List<String> queries = TpchQueries.all(subject.dialect(), pace.factor());
        boolean cuts = subject.dialect().cutsQuotients();
        double logs = 0;
        long sums = 1;
        boolean complete = true;
        int exceeded = 0;
        int asked = 0;
        try (TimeLimit limit = new TimeLimit(pace.limit())) {
            for (int i = 1; i <= queries.size() && complete; i++) {
                String caseName = TpchWorkload.caseName("q" + i, pace);
                String all = TpchWorkload.caseName("all", pace);
                if (!run.wants(caseName) && !run.wants(all)) {
                    continue;
                }
                asked++;
                run.phase("question " + i);
                try {
                    Set<Integer> divided = TpchQueries.divided(i);
                    Measured one = median(connection, queries.get(i - 1), divided, limit);
                    boolean exact = !cuts || divided.isEmpty();
                    sums = one == null || sums == 0 || !exact ? 0 : sums * 31 + one.sum();
                    exceeded += one == null ? 1 : 0;
                    logs += Math.log((double) (one == null ? pace.limit().toNanos() : one.nanos()));
                    tell(caseName, one, exact);
                    if (one != null && !divided.isEmpty()) {
                        run.line(one.answer().line(caseName));
                    }
                } catch (TimeLimit.Unstoppable e) {
                    complete = false;
                    run.cannot(caseName, e.getMessage() + ", so no more was asked");
                }
            }
        }
        if (!complete || asked < queries.size()) {
            return;
        }
        String all = TpchWorkload.caseName("all", pace);
        double mean = Math.exp(logs / queries.size()) / 1e6;
        measured(all, Double.NaN, Double.NaN, mean, sums);
        if (exceeded > 0) {
            run.figure(all, "exceeded", "questions", exceeded, durability);
        }
        subject.close(connection);
    }

    /// @param nanos of wall time
    private record Measured(long nanos, double cpu, double bytes, Answer answer) {
        long sum() {
            return answer.whole();
        }
    }

    /// The median of a question's times; null if one exceeded the limit.
    private @Nullable Measured median(
            Connection connection, String query, Set<Integer> divided, TimeLimit limit)
            throws SQLException, InterruptedException, TimeLimit.Unstoppable {
        AtomicReference<Answer> answer = new AtomicReference<>();
        try (Statement statement = connection.createStatement()) {
            Outcome first =
                    limit.run(
                            statement,
                            one -> {
                                answer.set(answer(one, query, divided));
                                return answer.get().whole();
                            });
            if (!first.inTime()) {
                return null;
            }
            Meter warmUp = Meter.start();
            long spent = first.nanos();
            while (spent + first.nanos() < pace.warmUp().toNanos()) {
                limit.run(statement, one -> answer(one, query, divided).whole());
                spent = first.nanos() + warmUp.elapsed();
            }
            List<Long> nanos = new ArrayList<>();
            Meter meter = Meter.start();
            do {
                Outcome one = limit.run(statement, each -> answer(each, query, divided).whole());
                if (!one.inTime()) {
                    return null;
                }
                if (one.result() != first.result()) {
                    throw new IllegalStateException("Two answers to " + query);
                }
                nanos.add(one.nanos());
            } while (meter.elapsed() < pace.measured().toNanos());
            Meter.Reading reading = meter.stop(nanos.size());
            Collections.sort(nanos);
            return new Measured(
                    nanos.get(nanos.size() / 2),
                    reading.cpuPerOp(),
                    reading.bytesPerOp(),
                    answer.get());
        }
    }

    private static Answer answer(Statement statement, String query, Set<Integer> divided)
            throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return Answer.read(rows, divided);
        }
    }

    /// @param exact whether every digit must match
    private void tell(String caseName, @Nullable Measured one, boolean exact) {
        if (one == null) {
            run.cannot(caseName, "it takes longer than the limit of " + pace.limit());
        } else {
            double millis = one.nanos() / 1e6;
            measured(caseName, one.cpu(), one.bytes(), millis, exact ? one.sum() : 0);
        }
    }

    private void measured(String caseName, double cpu, double bytes, double millis, long sum) {
        run.measured(new Measurement(caseName, "time", "ms", millis, cpu, bytes, durability, sum));
    }
}
