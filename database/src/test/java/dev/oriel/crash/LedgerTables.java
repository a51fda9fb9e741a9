package dev.oriel.crash;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.SplittableRandom;

/// The ledger in SQL, as one connection writes it: a table of entries with an index of each kind,
/// and a table of one row that counts the commits.
final class LedgerTables implements AutoCloseable {
    private static final String BY_ACCOUNT = "CREATE INDEX by_account ON ledger (account)";
    private static final String BY_AMOUNT = "CREATE ARRAY INDEX by_amount ON ledger (amount)";

    private final Connection connection;
    private final long seed;
    private final SplittableRandom detours;
    private final Statement statement;
    private final PreparedStatement insert;
    private final PreparedStatement delete;
    private final PreparedStatement revise;
    private final PreparedStatement count;

    /// Prepares the statements; the tables must be there.
    ///
    /// @param detours when to write something and take it back
    LedgerTables(Connection connection, long seed, SplittableRandom detours) throws SQLException {
        this.connection = connection;
        this.seed = seed;
        this.detours = detours;
        connection.setAutoCommit(false);
        statement = connection.createStatement();
        insert = connection.prepareStatement("INSERT INTO ledger VALUES (?, ?, ?, ?)");
        delete = connection.prepareStatement("DELETE FROM ledger WHERE id >= ? AND id < ?");
        revise =
                connection.prepareStatement(
                        "UPDATE ledger SET account = ?, note = ? WHERE id >= ? AND id < ?");
        count = connection.prepareStatement("UPDATE counter SET commits = ? WHERE id = 1");
    }

    /// Creates the tables in one transaction, unless they are there.
    static void create(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS counter (id INTEGER PRIMARY KEY, commits BIGINT)");
            if (commits(connection) < 0) {
                statement.execute(
                        "CREATE TABLE ledger (id BIGINT PRIMARY KEY, account INTEGER NOT NULL,"
                                + " amount BIGINT NOT NULL, note VARCHAR)");
                statement.execute(BY_ACCOUNT);
                statement.execute(BY_AMOUNT);
                statement.execute("INSERT INTO counter VALUES (1, 0)");
                Teller.create(statement);
            }
        }
        connection.commit();
    }

    /// The number of the last commit; -1 where the counter has no row.
    static long commits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT commits FROM counter")) {
            return rows.next() ? rows.getLong(1) : -1;
        }
    }

    /// Does what commit `number` does, and commits.
    void commit(long number) throws SQLException {
        if (detours.nextInt(10) == 0) {
            scribble(number);
            connection.rollback();
        }
        Ledger.Change change = Ledger.change(seed, number);
        if (change.reindexed()) {
            statement.execute("DROP INDEX by_account");
            statement.execute("DROP INDEX by_amount");
        }
        write(change);
        if (change.reindexed()) {
            statement.execute(BY_ACCOUNT);
            statement.execute(BY_AMOUNT);
        }
        if (detours.nextInt(10) == 0) {
            Savepoint savepoint = connection.setSavepoint();
            scribble(number + 1);
            connection.rollback(savepoint);
        }
        connection.commit();
    }

    private void write(Ledger.Change change) throws SQLException {
        insert(change.added());
        if (change.removed() > 0) {
            setBatch(delete, 1, change.removed());
            delete.executeUpdate();
        }
        if (change.revised() > 0) {
            revise.setInt(1, change.account());
            revise.setString(2, change.note());
            setBatch(revise, 3, change.revised());
            revise.executeUpdate();
        }
        count.setLong(1, change.number());
        count.executeUpdate();
    }

    private void insert(List<Ledger.Entry> entries) throws SQLException {
        for (Ledger.Entry entry : entries) {
            insert.setLong(1, entry.id());
            insert.setInt(2, entry.account());
            insert.setLong(3, entry.amount());
            insert.setString(4, entry.note());
            insert.addBatch();
        }
        insert.executeBatch();
    }

    private static void setBatch(PreparedStatement prepared, int at, long number)
            throws SQLException {
        prepared.setLong(at, number * Ledger.BATCH_IDS);
        prepared.setLong(at + 1, (number + 1) * Ledger.BATCH_IDS);
    }

    /// Changes that nobody may ever see.
    private void scribble(long number) throws SQLException {
        insert(List.of(new Ledger.Entry(number * Ledger.BATCH_IDS, -1, 1, "scribbled")));
        setBatch(delete, 1, number - 1 - detours.nextInt(Ledger.KEPT_BATCHES));
        delete.executeUpdate();
        count.setLong(1, Long.MAX_VALUE);
        count.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
