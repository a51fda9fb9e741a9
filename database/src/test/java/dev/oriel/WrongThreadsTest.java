package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Seed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Threads that call the JDBC objects of other threads at any moment: each call is right or an SQLException, and
/// nothing is damaged. `-Dseconds=600` for long.
final class WrongThreadsTest {
    private static final int SLOTS = 24;
    private static final int TABLES = 3;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("seconds", 4L)) / 2;

    @TempDir Path folder;

    /// Objects that any thread may call, the newest of each owner.
    private final AtomicReferenceArray<Object> shared = new AtomicReferenceArray<>(SLOTS);

    private final Queue<String> found = new ConcurrentLinkedQueue<>();

    @Test
    @Timeout(1_200)
    void inMemory() throws Exception {
        try (Database db = Database.inMemory()) {
            stress(db, Seed.of("WrongThreadsTest", 1));
            assertEquals(List.of(), db.check());
            checkRows(db);
        }
    }

    @Test
    @Timeout(1_200)
    void onDisk() throws Exception {
        Path path = folder.resolve("db");
        try (Database db = Database.open(path)) {
            stress(db, Seed.of("WrongThreadsTest", 2));
            assertEquals(List.of(), db.check());
            checkRows(db);
        }
        try (Database db = Database.open(path)) {
            assertEquals(List.of(), db.check());
            checkRows(db);
        }
    }

    private void stress(Database db, SplittableRandom seeds) throws Exception {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            for (int t = 0; t < TABLES; t++) {
                statement.execute(
                        "CREATE TABLE t%d (id INTEGER PRIMARY KEY, mark VARCHAR(600), n INTEGER)"
                                .formatted(t));
                statement.execute("CREATE INDEX t%d_n ON t%d (n)".formatted(t, t));
            }
        }
        long end = System.nanoTime() + NANOS;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int owner = i;
                SplittableRandom random = seeds.split();
                all.add(threads.submit(() -> own(db, owner, random, end)));
            }
            for (int i = 0; i < 3; i++) {
                SplittableRandom random = seeds.split();
                all.add(threads.submit(() -> disturb(random, end)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertEquals(List.of(), List.copyOf(found));
    }

    private void own(Database db, int owner, SplittableRandom random, long end) {
        while (System.nanoTime() < end) {
            try (Connection connection = db.connect()) {
                share(owner, 0, connection);
                connection.setAutoCommit(random.nextBoolean());
                for (int i = 0; i < 20; i++) {
                    work(connection, owner, random);
                }
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            } catch (SQLException e) {
                assertTrue(e.getSQLState() != null, e::toString);
                if (e.getSQLState().startsWith("XX")) {
                    report(e);
                }
            } catch (RuntimeException | Error e) {
                report(e);
            }
        }
    }

    private void share(int owner, int kind, Object object) {
        shared.set(owner * 8 + kind, object);
    }

    private void work(Connection connection, int owner, SplittableRandom random)
            throws SQLException {
        int table = random.nextInt(TABLES);
        String mark = ("t" + table + " ").repeat(1 + random.nextInt(150));
        try (PreparedStatement put =
                        connection.prepareStatement(
                                "INSERT INTO t%d VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET mark = excluded.mark, n = excluded.n"
                                        .formatted(table));
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM t" + table + " WHERE n = ?");
                PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT id, mark, n FROM t"
                                        + table
                                        + " WHERE id >= ? ORDER BY id")) {
            share(owner, 1, put);
            share(owner, 2, query);
            share(owner, 3, delete);
            for (int i = 0; i < 5; i++) {
                put.setInt(1, random.nextInt(3_000));
                put.setString(2, mark);
                put.setInt(3, random.nextInt(100));
                put.executeUpdate();
            }
            delete.setInt(1, random.nextInt(100));
            delete.executeUpdate();
            query.setInt(1, random.nextInt(3_000));
            try (ResultSet rows = query.executeQuery()) {
                share(owner, 4, rows);
                while (rows.next()) {
                    String seen = rows.getString(2);
                    if (seen != null && !isMark(seen, table)) {
                        found.add("t" + table + " has " + seen);
                    }
                }
            }
            share(owner, 5, connection.getMetaData());
            if (!connection.getAutoCommit() && random.nextInt(4) == 0) {
                share(owner, 6, connection.setSavepoint());
                connection.rollback();
            }
        }
    }

    private static boolean isMark(String seen, int table) {
        return seen.replace("t" + table + " ", "").isEmpty();
    }

    private void disturb(SplittableRandom random, long end) {
        while (System.nanoTime() < end) {
            Object object = shared.get(random.nextInt(SLOTS));
            Class<?> type =
                    switch (object) {
                        case Connection _ -> Connection.class;
                        case PreparedStatement _ -> PreparedStatement.class;
                        case ResultSet _ -> ResultSet.class;
                        case DatabaseMetaData _ -> DatabaseMetaData.class;
                        case null, default -> null;
                    };
            if (type != null) {
                call(object, pick(type, random), random);
            }
        }
    }

    /// Mostly the calls that do something. Parameters that another thread sets would be stored.
    private static Method pick(Class<?> type, SplittableRandom random) {
        while (true) {
            Method[] methods = type.getMethods();
            Method method = methods[random.nextInt(methods.length)];
            if (type == PreparedStatement.class && method.getName().startsWith("set")) {
                continue;
            }
            boolean weighty =
                    List.of("close", "rollback", "commit", "next", "executeQuery", "abort")
                            .contains(method.getName());
            if (weighty || random.nextInt(type == Connection.class ? 4 : 2) == 0) {
                return method;
            }
        }
    }

    private void call(Object object, Method method, SplittableRandom random) {
        @Nullable Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(method.getParameterTypes()[i], random);
        }
        try {
            Object result = method.invoke(object, arguments);
            if (result instanceof ResultSet rows && random.nextBoolean()) {
                rows.next();
                rows.close();
            }
        } catch (InvocationTargetException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            boolean sql =
                    cause instanceof SQLException failure && !"XX000".equals(failure.getSQLState());
            // A null where JDBC asks for an object is the caller's fault.
            if (!sql && !(cause instanceof NullPointerException && hasNull(arguments))) {
                found.add(method.toString());
                report(cause);
            }
        } catch (SQLException e) {
            assertFalse("XX000".equals(e.getSQLState()), e::toString);
        } catch (IllegalAccessException | IllegalArgumentException e) {
            report(e);
        }
    }

    private static boolean hasNull(@Nullable Object[] arguments) {
        for (@Nullable Object argument : arguments) {
            if (argument == null) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object argument(Class<?> type, SplittableRandom random) {
        if (type == int.class) {
            return random.nextInt(-1, 5);
        }
        if (type == long.class) {
            return random.nextLong(0, 5);
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == String.class) {
            return List.of(
                            "SELECT COUNT(*) FROM t0",
                            "UPDATE t1 SET n = n + 1 WHERE id < 50",
                            "id",
                            "t2",
                            "DELETE FROM t2 WHERE id < 20")
                    .get(random.nextInt(5));
        }
        if (type == short.class) {
            return (short) random.nextInt(5);
        }
        if (type == byte.class) {
            return (byte) random.nextInt(5);
        }
        if (type == double.class) {
            return random.nextDouble();
        }
        if (type == float.class) {
            return (float) random.nextDouble();
        }
        if (type == java.util.concurrent.Executor.class) {
            return (java.util.concurrent.Executor) Runnable::run;
        }
        return null;
    }

    private void report(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        if (found.size() < 6) {
            found.add(text.toString());
        }
    }

    private static void checkRows(Database db) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            for (int t = 0; t < TABLES; t++) {
                try (ResultSet rows = statement.executeQuery("SELECT mark FROM t" + t)) {
                    while (rows.next()) {
                        String mark = rows.getString(1);
                        assertTrue(isMark(mark, t), mark);
                    }
                }
            }
        }
    }

    @Test
    void parametersThatAnotherThreadClearsAreMissingAndNothingElse() throws Exception {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                PreparedStatement query = connection.prepareStatement("SELECT ? + 1")) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
                Future<?> clearing =
                        threads.submit(() -> {
                            while (System.nanoTime() < end) {
                                query.clearParameters();
                            }
                            return null;
                        });
                while (System.nanoTime() < end) {
                    query.setInt(1, 1);
                    try (ResultSet rows = query.executeQuery()) {
                        assertTrue(rows.next());
                    } catch (SQLException e) {
                        assertEquals("07001", e.getSQLState(), e::toString);
                    }
                }
                clearing.get();
            }
        }
    }

    @Test
    void aCloseFromOutsideEndsTheStatementThatRuns() throws Exception {
        try (Database db = Database.inMemory()) {
            Connection connection = db.connect();
            connection.setAutoCommit(false);
            Statement statement = connection.createStatement();
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            connection.commit();
            statement.execute("INSERT INTO t VALUES (1)");
            CountDownLatch begun = new CountDownLatch(1);
            try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
                Future<SQLException> running =
                        threads.submit(() -> {
                            begun.countDown();
                            return assertThrows(
                                    SQLException.class,
                                    () ->
                                            count(
                                                    statement,
                                                    "SELECT COUNT(*) FROM generate_series(1, 3000000000) a"));
                        });
                begun.await();
                connection.close();
                assertTrue(connection.isClosed());
                String state = running.get().getSQLState();
                assertTrue(state.equals("57014") || state.equals("08003"), state);
            }
            try (Connection other = db.connect();
                    Statement query = other.createStatement();
                    ResultSet rows = query.executeQuery("SELECT COUNT(*) FROM t")) {
                assertTrue(rows.next());
                assertEquals(0, rows.getInt(1));
            }
        }
    }

    private static long count(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    @Test
    void aRollbackFromOutsideEndsTheStatementThatRunsAndTheConnectionGoesOn() throws Exception {
        try (Database db = Database.inMemory();
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            CountDownLatch begun = new CountDownLatch(1);
            try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
                Future<?> running =
                        threads.submit(() -> {
                            begun.countDown();
                            return assertThrows(
                                    SQLException.class,
                                    () ->
                                            statement.executeUpdate(
                                                    "INSERT INTO t SELECT * FROM generate_series(2, 3000000)"));
                        });
                begun.await();
                while (!running.isDone()) { // it may be about to begin
                    connection.rollback();
                }
                running.get();
            }
            connection.rollback();
            try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
                assertTrue(rows.next());
                assertEquals(0, rows.getInt(1));
            }
        }
    }

    @Test
    void anAbortedConnectionLetsGoOfItsLocksThoughNoOneCallsItAgain() throws Exception {
        try (Database db = Database.inMemory();
                Connection other = db.connect();
                Statement update = other.createStatement()) {
            update.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
            update.execute("INSERT INTO t VALUES (1)");
            Connection connection = db.connect();
            connection.setAutoCommit(false);
            Statement statement = connection.createStatement();
            statement.execute("DELETE FROM t");
            connection.abort(Runnable::run);
            update.setQueryTimeout(5);
            assertEquals(1, update.executeUpdate("UPDATE t SET id = 2"));
        }
    }
}
