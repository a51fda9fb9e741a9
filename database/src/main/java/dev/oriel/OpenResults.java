package dev.oriel;

import java.util.ArrayList;
import java.util.List;

/// The open results of a connection that end with its transaction. Changed within calls of the connection.
final class OpenResults {
    private final List<JdbcResultSet> open = new ArrayList<>();

    boolean isEmpty() {
        return open.isEmpty();
    }

    int count() {
        return open.size();
    }

    void add(JdbcResultSet result) {
        open.add(result);
    }

    /// Removes a closed result; mostly the one that was opened last.
    void remove(JdbcResultSet result) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i) == result) {
                open.remove(i);
                return;
            }
        }
    }

    /// Makes the open results copy their rows before a write, which ends the engine's views of these rows.
    void detach() {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).detach();
        }
    }

    /// Marks them closed: the transaction has ended.
    void end() {
        for (JdbcResultSet result : List.copyOf(open)) {
            result.ended();
        }
        open.clear();
    }
}
