package dev.oriel.bench.profiler;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Measurement;
import dev.oriel.bench.Run;
import dev.oriel.bench.axion.AxionForm;
import dev.oriel.bench.axion.AxionQuery;
import dev.oriel.bench.axion.AxionTable;
import dev.oriel.bench.axion.AxionWords;
import dev.oriel.bench.jdbm.JdbmData;
import dev.oriel.bench.sql.OrielSqlSubject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.SplittableRandom;

/// The cost of counting every statement, for the axion query and jdbm's records. The records are rows of a table,
/// since only statements are counted.
///
/// All figures are processor time of the thread that runs the statements, which wait for nothing.
///
/// `time` is a statement with all monitoring on, `off` the same without, and `on/off` their ratio. `on/off low` and
/// `on/off high` are the ends of its confidence interval from this JVM alone.
final class AlwaysOnRun {
    /// Kinds of work.
    enum Work {
        AXION_OPEN_ENDED("axion/open-ended", true),
        AXION_LIMIT("axion/limit", true),
        AXION_LIMIT_DISK("axion/limit-disk", false),
        JDBM_GET("jdbm/get", true),
        JDBM_INSERT("jdbm/insert-disk", false);

        private final String label;
        private final boolean inMemory;

        Work(String label, boolean inMemory) {
            this.label = label;
            this.inMemory = inMemory;
        }

        String caseName() {
            return ProfilerWorkload.ALWAYS_ON + label;
        }
    }

    private static final int ROWS = 5_000;
    private static final int RECORDS = 20_000;
    private static final int RECORD_BYTES = 150;
    private static final int COMMIT_EVERY = 500;

    /// Duration of a block: long enough for the clock, short enough that most blocks are not interrupted.
    private static final long BLOCK_NANOS = 100_000;

    /// Minimum number of statements of each side before the measurement, however long they take.
    private static final int WARM_MIN = 30_000;

    /// Number of statements after a switch, before the clock starts, which absorb the cost of switching.
    private static final int SETTLING = 20;

    private final Run run;
    private final long nanos;

    AlwaysOnRun(Run run, Duration time) {
        this.run = run;
        this.nanos = time.toNanos();
    }

    /// One statement.
    private interface Statement {
        void run() throws SQLException;

        /// Called between two blocks, while the clock is stopped.
        default void rest() throws SQLException {}
    }

    void measure(Work work) throws Exception {
        OrielSqlSubject subject =
                new OrielSqlSubject(
                        AlwaysOn.NAME,
                        "BTREE",
                        work.inMemory
                                ? EnumSet.of(Durability.MEMORY)
                                : EnumSet.of(Durability.WRITTEN));
        Path folder = run.folder().resolve("db");
        run.phase("loading");
        switch (work) {
            case AXION_OPEN_ENDED -> axion(work, AxionForm.OPEN_ENDED_BOTH, subject, folder);
            case AXION_LIMIT, AXION_LIMIT_DISK ->
                    axion(work, AxionForm.LIMIT_BOTH, subject, folder);
            case JDBM_GET -> gets(work, subject, folder);
            case JDBM_INSERT -> inserts(work, subject, folder);
        }
    }

    private void axion(Work work, AxionForm form, OrielSqlSubject subject, Path folder)
            throws Exception {
        AxionWords words = AxionWords.of(ROWS, run.seed());
        Connection connection = new AxionTable(subject, words).make(folder, subject.usual());
        try (AxionQuery query = new AxionQuery(connection, form, subject, words)) {
            long sum = query.check(200);
            toggle(work, subject, connection, query::run, sum);
        }
        subject.close(connection);
    }

    private void gets(Work work, OrielSqlSubject subject, Path folder) throws Exception {
        JdbmData data = new JdbmData(true, RECORD_BYTES, run.seed());
        Connection connection = records(subject, folder);
        byte[] value = data.newValue();
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO record VALUES (?, ?)")) {
            for (int id = 0; id < RECORDS; id++) {
                insert(insert, data, id, value);
            }
            connection.commit();
        }
        connection.setAutoCommit(true);
        SplittableRandom random = new SplittableRandom(run.seed());
        try (PreparedStatement get =
                connection.prepareStatement("SELECT value FROM record WHERE id = ?")) {
            Statement one =
                    () -> {
                        get.setLong(1, random.nextInt(RECORDS));
                        try (ResultSet rows = get.executeQuery()) {
                            if (!rows.next() || rows.getBytes(1).length != RECORD_BYTES) {
                                throw new IllegalStateException("A record is missing");
                            }
                        }
                    };
            toggle(work, subject, connection, one, 0);
        }
        subject.close(connection);
    }

    private void inserts(Work work, OrielSqlSubject subject, Path folder) throws Exception {
        JdbmData data = new JdbmData(true, RECORD_BYTES, run.seed());
        Connection connection = records(subject, folder);
        byte[] value = data.newValue();
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO record VALUES (?, ?)")) {
            Statement one =
                    new Statement() {
                        private long next;
                        private long committed;

                        @Override
                        public void run() throws SQLException {
                            insert(insert, data, next++, value);
                        }

                        @Override
                        public void rest() throws SQLException {
                            if (next - committed >= COMMIT_EVERY) {
                                connection.commit();
                                committed = next;
                            }
                        }
                    };
            toggle(work, subject, connection, one, 0);
            connection.commit();
        }
        connection.setAutoCommit(true);
        subject.close(connection);
    }

    private static Connection records(OrielSqlSubject subject, Path folder) throws SQLException {
        Connection connection = subject.connect(folder, subject.usual());
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE record (id BIGINT PRIMARY KEY, value VARBINARY(150))");
        }
        connection.setAutoCommit(false);
        return connection;
    }

    private static void insert(PreparedStatement insert, JdbmData data, long id, byte[] value)
            throws SQLException {
        data.fill(id, value);
        insert.setLong(1, id);
        insert.setBytes(2, value);
        insert.executeUpdate();
    }

    private void toggle(
            Work work,
            OrielSqlSubject subject,
            Connection connection,
            Statement statement,
            long checksum)
            throws Exception {
        try (PreparedStatement configure =
                connection.prepareStatement("CALL sys.configure('watch', ?)")) {
            Switched switched = new Switched(configure, statement);
            run.phase("warming up");
            warmUp(switched);
            run.phase("off and on in turns");
            switched.statements = perBlock(switched);
            Toggling.Outcome outcome =
                    Toggling.byProcessorTime(run.seed())
                            .measure(switched, nanos, Toggling.COMPARISONS_MIN);
            switched.turn(true);
            tell(work.caseName(), outcome, switched.statements, subject.usual(), checksum);
        }
    }

    private void warmUp(Switched switched) throws Exception {
        switched.statements = 200;
        for (int round = 0; round < 2; round++) {
            for (boolean on : new boolean[] {true, false}) {
                switched.turn(on);
                long end = System.nanoTime() + nanos / 8;
                for (int done = 0; done < WARM_MIN / 2 || System.nanoTime() < end; ) {
                    switched.block(on);
                    done += switched.statements;
                }
            }
        }
    }

    private static int perBlock(Switched switched) throws Exception {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long begun = System.nanoTime();
            switched.block(true);
            least = Math.min(least, System.nanoTime() - begun);
        }
        return (int) Math.max(1, BLOCK_NANOS * switched.statements / Math.max(1, least));
    }

    private void tell(
            String caseName,
            Toggling.Outcome outcome,
            int statements,
            Durability durability,
            long checksum) {
        run.measured(
                new Measurement(
                        caseName,
                        "time",
                        "ns/op",
                        outcome.onNanos() / statements,
                        Double.NaN,
                        Double.NaN,
                        durability,
                        checksum));
        run.figure(caseName, "off", "ns/op", outcome.offNanos() / statements, durability);
        run.figure(caseName, "on/off", "", outcome.ratio().value(), durability);
        run.figure(caseName, "on/off low", "", outcome.ratio().low(), durability);
        run.figure(caseName, "on/off high", "", outcome.ratio().high(), durability);
    }

    /// Statements of a connection, with the monitoring switched off and on.
    private static final class Switched implements Toggling.Work {
        private final PreparedStatement configure;
        private final Statement statement;
        private int statements;

        Switched(PreparedStatement configure, Statement statement) {
            this.configure = configure;
            this.statement = statement;
        }

        @Override
        public void turn(boolean on) throws SQLException {
            configure.setString(1, on ? "on" : "off");
            try (ResultSet rows = configure.executeQuery()) {
                if (!rows.next()) {
                    throw new IllegalStateException("The switch did not answer");
                }
            }
            statement.rest();
            for (int i = 0; i < SETTLING; i++) {
                statement.run();
            }
        }

        @Override
        public void block(boolean on) throws SQLException {
            for (int i = 0; i < statements; i++) {
                statement.run();
            }
        }
    }
}
