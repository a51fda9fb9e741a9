package dev.oriel.server;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/// Questions of SQL that are being answered: they are cancelled if their clients go, or the server ends. Safe for use
/// by any number of threads.
final class Questions {
    private final Map<Statement, Client> asked = new ConcurrentHashMap<>();
    private final BooleanSupplier ending;
    private final ServerLog log;

    /// @param ending whether the server ends
    Questions(BooleanSupplier ending, ServerLog log) {
        this.ending = ending;
        this.log = log;
    }

    /// `question` of `client` is being answered from now on, until [#end].
    void begin(Statement question, Client client) throws SQLException {
        asked.put(question, client);
        if (ending.getAsBoolean()) { // the last look may have missed it
            asked.remove(question);
            throw new SQLException(
                    "The server is closing; repeat the query when it runs again", "57P01");
        }
    }

    void end(Statement question) {
        asked.remove(question);
    }

    /// Cancels questions of clients that have gone. A cancellation that came before the execution had no effect, so this
    /// is called again and again.
    void cancelUnwanted() {
        asked.forEach((question, client) -> {
            if (client.hasLeft()) {
                cancel(question);
            }
        });
    }

    void cancelAll() {
        asked.keySet().forEach(this::cancel);
    }

    void cancel(Statement question) {
        try {
            question.cancel();
        } catch (SQLException e) { // its connection is closed: it has ended
            log.failed("A question of SQL could not be cancelled", e);
        }
    }
}
