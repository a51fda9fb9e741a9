package dev.oriel.conformance.random;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A database that is asked the same as ours.
///
/// @param url of a new database for each connection, or of one that `opening` makes empty
/// @param opening statements to run before anything else
/// @param unlike what it is not asked
record Peer(Dialect dialect, String url, List<String> opening, List<Unlike> unlike) {
    /// Something that a database does not have, or does in another way on purpose.
    ///
    /// @param reason in words
    /// @param of whether a piece of a query is that
    record Unlike(String reason, Predicate<Piece> of) {}

    String name() {
        return dialect.name();
    }

    /// Why it is not asked `query`; empty where it is.
    Optional<String> refusal(Piece query) {
        return unlike.stream()
                .filter(rule -> query.all().anyMatch(rule.of()))
                .map(Unlike::reason)
                .findFirst();
    }

    /// A connection to a database that has `setup`.
    Connection open(List<Piece> setup) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            for (String sql : opening) {
                statement.execute(sql);
            }
            for (Piece piece : setup) {
                statement.execute(piece.sql(dialect));
            }
            return connection;
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }
}
