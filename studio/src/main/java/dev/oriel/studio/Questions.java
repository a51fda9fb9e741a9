package dev.oriel.studio;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.oriel.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Connections for queries, and the running statements, so that they can be cancelled. Safe for use by any thread.
final class Questions {
    /// Queries over one connection.
    interface Asking<R> {
        R ask(Connection connection) throws SQLException, IOException;
    }

    /// Runs one statement.
    interface Running<R> {
        R run() throws SQLException, IOException;
    }

    /// Work for later.
    interface Later {
        void run() throws SQLException, IOException;
    }

    /// Cancels the running query, from another thread.
    interface Cancellation {
        void cancel() throws SQLException;
    }

    private static final String CANCELLED = "57014";

    /// Cancels statements after a part of a second; the timeout of JDBC counts whole seconds. It forgets what is
    /// cancelled at once: a task refers to its database.
    private static final ScheduledThreadPoolExecutor ALARMS = alarms();

    private final Database database;
    private final StudioOptions options;
    private final ConcurrentMap<String, Cancellation> running = new ConcurrentHashMap<>();
    private final ConcurrentMap<Later, Future<?>> pending = new ConcurrentHashMap<>();
    private volatile boolean ended;

    Questions(Database database, StudioOptions options) {
        this.database = database;
        this.options = options;
    }

    private static ScheduledThreadPoolExecutor alarms() {
        ScheduledThreadPoolExecutor alarms =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("oriel-studio-alarms").factory());
        alarms.setRemoveOnCancelPolicy(true);
        return alarms;
    }

    /// Runs queries over a new connection, which is read-only if the studio is.
    <R> R ask(Asking<R> asking) throws SQLException, IOException {
        try (Connection connection = options.readOnly() ? reader() : database.connect()) {
            return asking.ask(connection);
        }
    }

    /// Runs queries over a new read-only connection.
    <R> R read(Asking<R> asking) throws SQLException, IOException {
        try (Connection connection = reader()) {
            return asking.ask(connection);
        }
    }

    /// A connection that no statement can make write.
    private Connection reader() throws SQLException {
        try (Database reader = database.readOnly()) {
            return reader.connect();
        }
    }

    /// Runs `statement` within the time that the options allow; [#cancel] ends it under the name `id`.
    <R> R run(@Nullable String id, Statement statement, Running<R> body)
            throws SQLException, IOException {
        statement.setQueryTimeout(options.timeoutSeconds());
        return cancellable(id, statement::cancel, body);
    }

    /// Rows of a query as an array of objects, within the time that the options allow. Values are whole.
    ArrayNode objects(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException, IOException {
        return objects(true, connection, sql, parameters);
    }

    /// Same, with long values cut, as in the rows of a table.
    ArrayNode shown(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException, IOException {
        return objects(false, connection, sql, parameters);
    }

    private ArrayNode objects(
            boolean whole, Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException, IOException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return run(
                    null,
                    statement,
                    () -> {
                        try (ResultSet rows = statement.executeQuery()) {
                            return Answers.objects(rows, whole);
                        }
                    });
        }
    }

    /// First value of a query's first row, or null if the query takes longer than `millis`.
    @Nullable Long numberWithin(long millis, Connection connection, String sql)
            throws SQLException, IOException {
        if (millis <= 0) {
            return null;
        }
        AtomicBoolean late = new AtomicBoolean();
        try (Statement statement = connection.createStatement()) {
            ScheduledFuture<?> alarm =
                    ALARMS.schedule(
                            () -> cancelLate(statement, late), millis, TimeUnit.MILLISECONDS);
            try {
                return run(
                        null,
                        statement,
                        () -> {
                            try (ResultSet rows = statement.executeQuery(sql)) {
                                rows.next();
                                return rows.getLong(1);
                            }
                        });
            } finally {
                alarm.cancel(false);
            }
        } catch (SQLException e) {
            if (late.get() && CANCELLED.equals(e.getSQLState())) {
                return null;
            }
            throw e;
        }
    }

    private static void cancelLate(Statement statement, AtomicBoolean late) {
        late.set(true);
        try {
            statement.cancel();
        } catch (SQLException e) {
            late.set(false); // it has ended, and its connection was closed
        }
    }

    /// Runs `body` after some seconds, or when the studio is closed before. It runs in a closing studio, so it must
    /// not use [#run] and [#cancellable].
    void later(int seconds, Later body) throws SQLException, IOException {
        // In one step: else the alarm could come before its entry.
        pending.computeIfAbsent(
                body,
                _ ->
                        ALARMS.schedule(
                                () -> Thread.ofVirtual().start(() -> runLate(body)),
                                seconds,
                                TimeUnit.SECONDS));
        if (ended) {
            runPending(body);
        }
    }

    /// Forgets what was left for later.
    void drop(Later body) {
        Future<?> alarm = pending.remove(body);
        if (alarm != null) {
            alarm.cancel(false);
        }
    }

    private void runLate(Later body) {
        try {
            runPending(body);
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("What the studio left for later cannot be done.", e);
        }
    }

    private void runPending(Later body) throws SQLException, IOException {
        Future<?> alarm = pending.remove(body);
        if (alarm != null) {
            alarm.cancel(false);
            body.run();
        }
    }

    /// Runs `body`, which ends soon after `cancellation` was called, under the name `id`.
    <R> R cancellable(@Nullable String id, Cancellation cancellation, Running<R> body)
            throws SQLException, IOException {
        String name = id == null ? UUID.randomUUID().toString() : id;
        if (running.putIfAbsent(name, cancellation) != null) {
            throw new RequestException(
                    409, "A statement with the id " + id + " runs already; choose another id.");
        }
        try {
            if (ended) {
                throw new RequestException(409, "The studio is closing; open it again.");
            }
            return body.run();
        } finally {
            running.remove(name, cancellation);
        }
    }

    /// Cancels the statement `id`. False if none runs under that name.
    boolean cancel(String id) throws SQLException {
        Cancellation cancellation = running.get(id);
        if (cancellation == null) {
            return false;
        }
        cancellation.cancel();
        return true;
    }

    /// Runs the work left for later, cancels all running statements, and refuses later ones.
    ///
    /// @throws IllegalStateException if some of it failed, after the rest
    void cancelAll() {
        ended = true;
        List<Exception> failures = new ArrayList<>();
        for (Later body : pending.keySet()) {
            try {
                runPending(body);
            } catch (SQLException | IOException | RuntimeException e) {
                failures.add(e);
            }
        }
        for (Map.Entry<String, Cancellation> one : running.entrySet()) {
            try {
                one.getValue().cancel();
            } catch (SQLException | RuntimeException e) {
                if (running.containsKey(one.getKey())) { // else it has ended meanwhile
                    failures.add(e);
                }
            }
        }
        if (!failures.isEmpty()) {
            IllegalStateException failure =
                    new IllegalStateException(
                            "A statement cannot be cancelled, or what was left for later cannot be done.",
                            failures.getFirst());
            failures.stream().skip(1).forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
