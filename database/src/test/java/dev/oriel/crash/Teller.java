package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/// One of [#COUNT] who commit beside the ledger's writer, so that committers meet: it counts its commits in a row
/// of its own, and writes the newest [#KEPT] numbers into a journal that all share, in one transaction. So what a
/// kill leaves of each teller is known by its count alone.
final class Teller {
    static final int COUNT = 3;
    static final int KEPT = 40;

    /// Another transaction was in the way, or took too long.
    private static final Set<String> PASSING = Set.of("40001", "40P01", "55P03");

    private final Connection connection;
    private final int teller;
    private final PreparedStatement count;
    private final PreparedStatement insert;
    private final PreparedStatement delete;

    /// One of them; the tables must be there.
    Teller(Connection connection, int teller) throws SQLException {
        this.connection = connection;
        this.teller = teller;
        connection.setAutoCommit(false);
        count = connection.prepareStatement("UPDATE teller SET commits = ? WHERE id = ?");
        insert = connection.prepareStatement("INSERT INTO journal VALUES (?, ?)");
        delete =
                connection.prepareStatement("DELETE FROM journal WHERE teller = ? AND number <= ?");
    }

    /// In the transaction that creates the ledger's tables too.
    static void create(Statement statement) throws SQLException {
        statement.execute("CREATE TABLE teller (id INTEGER PRIMARY KEY, commits BIGINT)");
        statement.execute(
                "CREATE TABLE journal (teller INTEGER, number BIGINT, PRIMARY KEY (teller, number))");
        for (int teller = 0; teller < COUNT; teller++) {
            statement.execute("INSERT INTO teller VALUES (" + teller + ", 0)");
        }
    }

    /// How many commits of each there are.
    static long[] commits(Connection connection) throws SQLException {
        long[] commits = new long[COUNT];
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, commits FROM teller")) {
            while (rows.next()) {
                commits[rows.getInt(1)] = rows.getLong(2);
            }
        }
        return commits;
    }

    /// Commits number `number`, however often it takes.
    void commit(long number) throws SQLException {
        while (true) {
            try {
                write(number);
                connection.commit();
                return;
            } catch (SQLException e) {
                connection.rollback();
                if (!PASSING.contains(e.getSQLState())) {
                    throw e;
                }
            }
        }
    }

    private void write(long number) throws SQLException {
        count.setLong(1, number);
        count.setInt(2, teller);
        int counted = count.executeUpdate();
        if (counted != 1) { // no assertion: the process that is killed has no JUnit
            throw new IllegalStateException("teller " + teller + " has " + counted + " rows");
        }
        insert.setInt(1, teller);
        insert.setLong(2, number);
        insert.executeUpdate();
        delete.setInt(1, teller);
        delete.setLong(2, number - KEPT);
        delete.executeUpdate();
    }

    /// The journal has just the numbers that each count stands for.
    static void check(Database database) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement journal =
                        connection.prepareStatement(
                                "SELECT number FROM journal WHERE teller = ? ORDER BY number")) {
            long[] commits = commits(connection);
            for (int teller = 0; teller < COUNT; teller++) {
                long expected = Math.max(1, commits[teller] - KEPT + 1);
                journal.setInt(1, teller);
                try (ResultSet rows = journal.executeQuery()) {
                    while (rows.next()) {
                        assertEquals(expected++, rows.getLong(1), "journal of teller " + teller);
                    }
                }
                assertEquals(commits[teller] + 1, expected, "journal of teller " + teller);
            }
        }
    }

    /// No teller has lost what was acknowledged to it, or has more than one commit beyond.
    static void check(Database database, long[] acknowledged) throws SQLException {
        check(database);
        try (Connection connection = database.connect()) {
            long[] found = commits(connection);
            for (int teller = 0; teller < COUNT; teller++) {
                long least = acknowledged[teller];
                long has = found[teller];
                String which = "teller %d was told %d, found %d".formatted(teller, least, has);
                assertTrue(has >= least && has <= least + 1, which);
                acknowledged[teller] = has;
            }
        }
    }
}
