package dev.oriel.studio;

import dev.oriel.Database;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// Connections for questions, and the statements that run now, so that they can be cancelled. Safe for
/// use by any thread.
final class Questions {
    /// Asks over one connection.
    interface Asking<R> {
        R ask(Connection connection) throws SQLException, IOException;
    }

    /// Runs one statement.
    interface Running<R> {
        R run() throws SQLException, IOException;
    }

    private final Database database;
    private final StudioOptions options;
    private final ConcurrentMap<String, Statement> running = new ConcurrentHashMap<>();
    private volatile boolean ended;

    Questions(Database database, StudioOptions options) {
        this.database = database;
        this.options = options;
    }

    /// Asks over a new connection, which is read-only if the studio is.
    <R> R ask(Asking<R> asking) throws SQLException, IOException {
        try (Connection connection = database.connect()) {
            connection.setReadOnly(options.readOnly());
            return asking.ask(connection);
        }
    }

    /// Asks over a new read-only connection.
    <R> R read(Asking<R> asking) throws SQLException, IOException {
        try (Connection connection = database.connect()) {
            connection.setReadOnly(true);
            return asking.ask(connection);
        }
    }

    /// Runs `statement`, which [#cancel] ends under the name `id` meanwhile.
    <R> R run(@Nullable String id, Statement statement, Running<R> body)
            throws SQLException, IOException {
        statement.setQueryTimeout(options.timeoutSeconds());
        if (id == null) {
            return body.run();
        }
        if (running.putIfAbsent(id, statement) != null) {
            throw new RequestException(
                    409, "A statement with the id " + id + " runs already; choose another id.");
        }
        try {
            if (ended) {
                throw new RequestException(409, "The studio is closing; open it again.");
            }
            return body.run();
        } finally {
            running.remove(id, statement);
        }
    }

    /// Cancels the statement `id`. False if none runs under that name.
    boolean cancel(String id) throws SQLException {
        Statement statement = running.get(id);
        if (statement == null) {
            return false;
        }
        statement.cancel();
        return true;
    }

    /// Cancels all statements that run, and refuses new ones.
    void cancelAll() {
        ended = true;
        running.values()
                .forEach(statement -> {
                    try {
                        statement.cancel();
                    } catch (SQLException e) {
                        // It has ended by itself, which is as good.
                        assert e.getSQLState() != null;
                    }
                });
    }
}
