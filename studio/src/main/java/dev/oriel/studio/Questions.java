package dev.oriel.studio;

import dev.oriel.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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

    /// Cancels the running query, from another thread.
    interface Cancellation {
        void cancel() throws SQLException;
    }

    private final Database database;
    private final StudioOptions options;
    private final ConcurrentMap<String, Cancellation> running = new ConcurrentHashMap<>();
    private volatile boolean ended;

    Questions(Database database, StudioOptions options) {
        this.database = database;
        this.options = options;
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

    /// Cancels all running statements, and refuses later ones.
    ///
    /// @throws IllegalStateException if one of them could not be cancelled
    void cancelAll() {
        ended = true;
        IllegalStateException failure = null;
        for (Map.Entry<String, Cancellation> one : running.entrySet()) {
            try {
                one.getValue().cancel();
            } catch (SQLException e) {
                if (running.containsKey(one.getKey())) { // else it has ended meanwhile
                    failure = new IllegalStateException("A statement cannot be cancelled.", e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
