package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Predicate;

/// Compares a database with the [Ledger]: every row and value by the row key, the sum, and what each
/// index finds; and has the database check itself.
final class LedgerCheck {
    private LedgerCheck() {}

    /// The number of the last commit that `database` holds; -1 where the tables were never made.
    static long commits(Database database) throws SQLException {
        try (Connection connection = database.connect()) {
            return LedgerTables.commits(connection);
        } catch (SQLException e) {
            if ("42P01".equals(e.getSQLState())) {
                return -1;
            }
            throw e;
        }
    }

    /// `database` holds exactly what `ledger` says.
    static void check(Database database, Ledger ledger) throws SQLException {
        assertEquals(List.of(), database.check());
        Teller.check(database);
        try (Connection connection = database.connect()) {
            checkRows(connection, ledger);
            checkSum(connection, ledger);
            for (int account = 0; account < Ledger.ACCOUNTS; account++) {
                int wanted = account;
                checkIds(
                        connection,
                        "SELECT id FROM ledger WHERE account = ? ORDER BY id",
                        account,
                        ids(ledger, entry -> entry.account() == wanted));
            }
            for (long amount = -1_000_000; amount < 1_000_000; amount += 400_000) {
                long least = amount;
                checkIds(
                        connection,
                        "SELECT id FROM ledger WHERE amount >= ? ORDER BY id",
                        amount,
                        ids(ledger, entry -> entry.amount() >= least));
            }
        }
    }

    private static List<Long> ids(Ledger ledger, Predicate<Ledger.Entry> wanted) {
        return ledger.entries().values().stream().filter(wanted).map(Ledger.Entry::id).toList();
    }

    private static void checkRows(Connection connection, Ledger ledger) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT id, account, amount, note FROM ledger ORDER BY id")) {
            for (Ledger.Entry expected : ledger.entries().values()) {
                assertTrue(rows.next(), () -> "rows end before " + expected);
                Ledger.Entry found =
                        new Ledger.Entry(
                                rows.getLong(1),
                                rows.getInt(2),
                                rows.getLong(3),
                                rows.getString(4));
                assertEquals(expected, found);
            }
            assertFalse(rows.next(), "there are rows that no commit has written");
        }
    }

    private static void checkSum(Connection connection, Ledger ledger) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT COUNT(*), SUM(amount) FROM ledger")) {
            assertTrue(rows.next());
            assertEquals(ledger.entries().size(), rows.getLong(1));
            assertEquals(0, rows.getLong(2));
        }
    }

    private static void checkIds(
            Connection connection, String query, long parameter, List<Long> expected)
            throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(query)) {
            prepared.setLong(1, parameter);
            try (ResultSet rows = prepared.executeQuery()) {
                for (Long id : expected) {
                    assertTrue(rows.next(), () -> query + " " + parameter + " ends before " + id);
                    assertEquals(id, rows.getLong(1), () -> query + " " + parameter);
                }
                assertFalse(rows.next(), () -> query + " " + parameter + " finds too many");
            }
        }
    }
}
