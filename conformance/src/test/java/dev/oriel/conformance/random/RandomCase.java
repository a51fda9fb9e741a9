package dev.oriel.conformance.random;

import dev.oriel.testkit.Shrink;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A query that failed, over a schema; makes both small.
record RandomCase(List<Piece> setup, Piece query, String difference) {
    /// What is asked: a difference, as [Oracle#difference] has it.
    interface Test extends BiFunction<Connection, Piece, @Nullable String> {}

    /// Ours, with `setup` done.
    static Connection open(List<Piece> setup) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:oriel:mem:");
        try (Statement statement = connection.createStatement()) {
            for (Piece piece : setup) {
                statement.execute(piece.toString());
            }
            return connection;
        } catch (SQLException failure) {
            connection.close();
            throw failure;
        }
    }

    /// As small a case as can be found that is wrong in the same way.
    static RandomCase smallest(List<Piece> setup, Piece query, Test test) throws SQLException {
        String kind;
        Piece least;
        try (Connection connection = open(setup)) {
            kind = kind(test.apply(connection, query));
            least =
                    Reduction.smallest(
                            query,
                            candidate -> kind.equals(kind(test.apply(connection, candidate))));
        }
        List<Piece> few =
                Shrink.minimal(setup, some -> kind.equals(kind(differenceOf(some, least, test))));
        return new RandomCase(few, least, String.valueOf(differenceOf(few, least, test)));
    }

    private static @Nullable String differenceOf(List<Piece> setup, Piece query, Test test) {
        try (Connection connection = open(setup)) {
            return test.apply(connection, query);
        } catch (SQLException unfit) {
            return null;
        }
    }

    private static String kind(@Nullable String difference) {
        return difference == null ? "" : difference.lines().findFirst().orElse("");
    }

    @Override
    public String toString() {
        StringBuilder script = new StringBuilder();
        setup.forEach(piece -> script.append(piece).append(";\n"));
        return script.append(query).append(";\n").append(difference).append('\n').toString();
    }
}
