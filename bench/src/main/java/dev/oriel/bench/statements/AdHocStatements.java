package dev.oriel.bench.statements;

import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.sql.SqlSubject;
import dev.oriel.bench.statements.StatementsWorkload.StatementsPace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Statements with different texts, so that each is planned: `plan` prepares and closes them, `run` prepares, runs
/// and reads them. They are of eight kinds: rows by key and by ranges, joins of two and three tables, groups,
/// subqueries, inserts and updates. The last two are only prepared.
final class AdHocStatements {
    private static final String PLAN = "statements/ad-hoc/plan";
    private static final String RUN = "statements/ad-hoc/run";
    static final List<String> CASES = List.of(PLAN, RUN);

    private static final int BURST = 100;
    private static final List<String> COLUMNS = List.of("id", "a", "b", "c", "d");

    private final SqlSubject subject;
    private final StatementsPace pace;
    private final Run run;
    private final SplittableRandom random;
    private int number;

    AdHocStatements(SqlSubject subject, StatementsPace pace, Run run) {
        this.subject = subject;
        this.pace = pace;
        this.run = run;
        this.random = new SplittableRandom(run.seed());
    }

    void measure() throws SQLException {
        run.phase("loading");
        Path folder = run.folder().resolve("db");
        Connection connection = subject.connect(folder, subject.usual());
        load(connection);
        subject.close(connection);
        connection = subject.connect(folder, subject.usual());
        measure(connection, PLAN, false);
        measure(connection, RUN, true);
        subject.close(connection);
    }

    private static void load(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : List.of("first", "second", "third")) {
                String name = "t_" + table;
                statement.execute(
                        "CREATE TABLE "
                                + name
                                + " (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b INTEGER, c"
                                + " VARCHAR(20), d INTEGER)");
                statement.execute("CREATE INDEX " + name + "_a ON " + name + " (a)");
                connection.setAutoCommit(false);
                for (int i = 0; i < 200; i++) {
                    statement.execute(
                            "INSERT INTO %s VALUES (%d, %d, %d, 'text %d', %d)"
                                    .formatted(name, i, i * 7 % 50, i % 11, i % 30, i * 3));
                }
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
    }

    private void measure(Connection connection, String caseName, boolean runs) throws SQLException {
        if (!run.wants(caseName)) {
            return;
        }
        run.phase("warming up " + caseName);
        pace.warmUp().repeat(() -> take(connection, texts(BURST), runs));
        run.phase("measuring " + caseName);
        List<String> texts = texts(pace.texts());
        long most = pace.measured().toNanos() * 2;
        Meter meter = Meter.start();
        int done = 0;
        while (done < texts.size() && meter.elapsed() < most) {
            done +=
                    (int)
                            take(
                                    connection,
                                    texts.subList(done, Math.min(done + BURST, texts.size())),
                                    runs);
        }
        run.rate(caseName, meter.stop(done), subject.usual(), 0);
    }

    private static long take(Connection connection, List<String> texts, boolean runs)
            throws SQLException {
        long sum = 0;
        for (String text : texts) {
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                if (runs && text.startsWith("SELECT")) {
                    sum += read(statement);
                }
            }
        }
        if (sum < 0) {
            throw new IllegalStateException("Fewer than no rows");
        }
        return texts.size();
    }

    private static long read(PreparedStatement statement) throws SQLException {
        long rows = 0;
        try (ResultSet result = statement.executeQuery()) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                for (int i = 1; i <= columns; i++) {
                    rows += result.getObject(i) == null ? 0 : 1;
                }
            }
        }
        return rows;
    }

    private List<String> texts(int count) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text());
        }
        return texts;
    }

    private String column() {
        return COLUMNS.get(random.nextInt(COLUMNS.size()));
    }

    /// A new text, which contains a number of its own.
    private String text() {
        int own = number++;
        int some = random.nextInt(200);
        return switch (own % 8) {
            case 0 ->
                    "SELECT %s, c FROM t_first WHERE id = %d AND d <> %d"
                            .formatted(column(), some, own);
            case 1 ->
                    "SELECT id, %s FROM t_second WHERE a BETWEEN %d AND %d AND d <> %d ORDER BY id"
                            .formatted(column(), some % 40, some % 40 + 3, own);
            case 2 ->
                    "SELECT x.id, y.%s FROM t_first x JOIN t_second y ON y.id = x.a WHERE x.id = %d AND y.d <> %d"
                            .formatted(column(), some, own);
            case 3 ->
                    "SELECT b, COUNT(*), MAX(%s) FROM t_third WHERE a < %d AND d <> %d GROUP BY b"
                            .formatted(column(), some % 20, own);
            case 4 ->
                    "SELECT x.c, z.%s FROM t_first x, t_second y, t_third z WHERE x.a = y.id AND y.b = z.id AND x.id = %d AND z.d <> %d"
                            .formatted(column(), some, own);
            case 5 ->
                    "SELECT id FROM t_first WHERE a = %d AND EXISTS (SELECT 1 FROM t_second WHERE t_second.id = t_first.b AND t_second.d <> %d)"
                            .formatted(some % 50, own);
            case 6 ->
                    "INSERT INTO t_third VALUES (%d, %d, %d, 'new %d', 1)"
                            .formatted(1_000 + own, some, some, own);
            default ->
                    "UPDATE t_second SET d = d + %d WHERE a = %d AND %s IS NOT NULL"
                            .formatted(own, some, column());
        };
    }
}
