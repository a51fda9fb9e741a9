package dev.oriel.graph.attack;

import dev.oriel.testkit.Gen;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Calls of JDBC by one thread, on a connection of its own and on shared ones.
final class SqlCalls implements AutoCloseable {
    /// Whether connections are used, ended and closed by other threads than their own.
    private static final boolean CONNECTIONS_SHARED =
            Boolean.getBoolean("attack.connections.shared");

    private static final int KEYS = 40;
    private static final int FAMILY = 30;

    private final World world;
    private final int number;
    private final PrivateKeys keys;
    private @Nullable Connection own;

    SqlCalls(World world, int number) {
        this.world = world;
        this.number = number;
        this.keys = world.rows.get(number);
    }

    void call(int kind, Gen gen) throws SQLException {
        if (kind < 20) {
            putOwn(gen);
        } else if (kind < 35) {
            transfer(gen);
        } else if (kind < 55) {
            Connection connection = any(gen);
            change(connection, gen);
            end(connection, gen);
        } else if (kind < 65) {
            read(any(gen), gen);
        } else if (kind < 72) {
            Connection connection = any(gen);
            define(connection, gen);
            end(connection, gen);
        } else if (kind < 78) {
            lookAtSums();
        } else if (kind < 80) {
            load(gen);
        } else if (kind < 83) {
            share(gen);
        } else {
            meddle(world.borrowed(gen), gen);
        }
    }

    /// Ends the transaction most of the time.
    private static void end(Connection connection, Gen gen) throws SQLException {
        if (!connection.getAutoCommit() && gen.chance(85)) {
            if (gen.chance(75)) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    private Connection own() throws SQLException {
        Connection known = own;
        if (known == null || known.isClosed()) {
            known = world.connect();
            known.setAutoCommit(false);
            own = known;
            world.own.set(number, known);
        }
        return known;
    }

    /// A connection from the shelf, or this thread's own.
    private Connection any(Gen gen) throws SQLException {
        return world.borrowed(gen) instanceof Connection shared ? shared : own();
    }

    /// Changes keys of this thread in one transaction, with savepoints. No other thread commits or rolls back on
    /// its own connection, but one may close it at any moment.
    private void putOwn(Gen gen) throws SQLException {
        Connection connection = own();
        Map<Integer, String> changes = new HashMap<>();
        boolean committing = false;
        try {
            connection.rollback();
            int count = gen.length(8);
            for (int i = 0; i < count; i++) {
                int key = gen.below(KEYS);
                String value = gen.chance(25) ? PrivateKeys.ABSENT : value(gen);
                Savepoint savepoint = gen.chance(20) ? connection.setSavepoint() : null;
                boolean removed = put(connection, key, value);
                if (savepoint != null && gen.chance(50)) {
                    connection.rollback(savepoint);
                } else {
                    PrivateKeys.note(changes, key, value, removed);
                }
            }
            if (gen.chance(15)) {
                connection.rollback();
                return;
            }
            committing = true;
            connection.commit();
            keys.acknowledged(changes);
        } catch (Throwable e) {
            if (committing) {
                keys.unknown(changes);
            }
            undo(connection, e);
            throw e;
        }
    }

    /// Rolls back, so that no half transaction is committed later.
    private static void undo(Connection connection, Throwable failed) throws SQLException {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            failed.addSuppressed(e);
            connection.close();
        }
    }

    private static String value(Gen gen) {
        int length = gen.chance(10) ? gen.below(30_000) : 1 + gen.below(60);
        return Character.toString('a' + gen.below(26)).repeat(length) + gen.below(1_000);
    }

    /// Returns whether it has removed an earlier value.
    private boolean put(Connection connection, int key, String value) throws SQLException {
        try (PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM own WHERE thread = ? AND k = ?");
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO own VALUES (?, ?, ?)")) {
            delete.setInt(1, number);
            delete.setInt(2, key);
            boolean removed = delete.executeUpdate() > 0;
            if (!value.isEmpty()) {
                insert.setInt(1, number);
                insert.setInt(2, key);
                insert.setString(3, value);
                insert.addBatch();
                insert.executeBatch();
            }
            return removed;
        }
    }

    /// Moves money: by one statement on a connection that may be shared, by several on its own.
    private void transfer(Gen gen) throws SQLException {
        int from = gen.below(World.ACCOUNTS);
        int to = (from + 1 + gen.below(World.ACCOUNTS - 1)) % World.ACCOUNTS;
        long amount = gen.below(100);
        if (world.borrowed(gen) instanceof Connection shared) {
            try (Statement statement = shared.createStatement()) {
                statement.executeUpdate(
                        "UPDATE account SET balance = balance + CASE id WHEN %d THEN -%d ELSE %d END WHERE id IN (%d, %d)"
                                .formatted(from, amount, amount, from, to));
            }
            return;
        }
        Connection connection = own();
        connection.rollback();
        try (Statement statement = connection.createStatement()) {
            if (gen.chance(30)) {
                statement.execute("SELECT balance FROM account WHERE id = " + from + " FOR UPDATE");
            }
            statement.executeUpdate(
                    "UPDATE account SET balance = balance - %d WHERE id = %d"
                            .formatted(amount, from));
            statement.executeUpdate(
                    "UPDATE account SET balance = balance + %d WHERE id = %d"
                            .formatted(amount, to));
            if (gen.chance(80)) {
                connection.commit();
            } else {
                connection.rollback();
            }
        } catch (Throwable e) {
            undo(connection, e);
            throw e;
        }
    }

    private static void change(Connection connection, Gen gen) throws SQLException {
        int id = gen.below(FAMILY);
        String sql =
                switch (gen.below(7)) {
                    case 0 -> "INSERT INTO parent VALUES (%d, %d)".formatted(id, gen.below(FAMILY));
                    case 1 -> "DELETE FROM parent WHERE id = " + id;
                    case 2 ->
                            "UPDATE parent SET code = %d WHERE id = %d"
                                    .formatted(gen.below(FAMILY), id);
                    case 3 -> "DELETE FROM child WHERE id %% 7 = %d".formatted(gen.below(7));
                    case 4 ->
                            "UPDATE child SET v = v || v, parent = %d WHERE parent = %d"
                                    .formatted(gen.below(FAMILY), id);
                    case 5 -> "SELECT * FROM parent WHERE id = %d FOR UPDATE".formatted(id);
                    default ->
                            "INSERT INTO child SELECT %d + g, %d, 'x' || g FROM generate_series(1, %d) AS s (g)"
                                    .formatted(gen.below(2_000), id, 1 + gen.below(400));
                };
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(10);
            statement.execute(sql);
        }
    }

    private void read(Connection connection, Gen gen) throws SQLException {
        Statement statement = connection.createStatement();
        String sql =
                switch (gen.below(4)) {
                    case 0 -> "SELECT * FROM own";
                    case 1 ->
                            "SELECT c.v, p.code FROM child c JOIN parent p ON p.id = c.parent ORDER BY c.v";
                    case 2 -> "SELECT parent, COUNT(*), MAX(v) FROM child GROUP BY parent";
                    default -> "SELECT a.id, b.id FROM child a, child b WHERE a.id < b.id";
                };
        ResultSet result = statement.executeQuery(sql);
        int rows = gen.below(50);
        for (int i = 0; i < rows && result.next(); i++) {
            Object _ = result.getObject(1);
        }
        if (gen.chance(50)) {
            shareConnected(gen, result);
            shareConnected(gen, statement);
        } else {
            statement.close();
        }
    }

    private static void define(Connection connection, Gen gen) throws SQLException {
        int n = gen.below(3);
        String sql =
                switch (gen.below(7)) {
                    case 0 -> "CREATE TABLE t%d (id INT PRIMARY KEY, v INT)".formatted(n);
                    case 1 -> "DROP TABLE t" + n;
                    case 2 -> "CREATE INDEX child_v%d ON child (v, parent)".formatted(n);
                    case 3 -> "DROP INDEX child_v" + n;
                    case 4 ->
                            "ALTER TABLE t%d ADD COLUMN w%d INT DEFAULT 7"
                                    .formatted(n, gen.below(3));
                    case 5 -> "TRUNCATE TABLE t" + n;
                    default ->
                            "INSERT INTO t%d (id, v) SELECT g, g FROM generate_series(1, 50) AS s (g)"
                                    .formatted(n);
                };
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void lookAtSums() throws SQLException {
        try (Connection connection = world.database.connect()) {
            Invariants.checkRows(connection, world.findings);
        }
    }

    private void load(Gen gen) throws SQLException {
        Connection bulk = world.database.bulk();
        world.opened.add(bulk);
        shareConnected(gen, bulk);
        try (PreparedStatement insert = bulk.prepareStatement("INSERT INTO loaded VALUES (?, ?)")) {
            int rows = gen.below(3_000);
            long first = gen.between(0, 1_000_000_000);
            for (int i = 0; i < rows; i++) {
                insert.setLong(1, first + i);
                insert.setString(2, "row " + i);
                insert.addBatch();
                if ((i & 63) == 63) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
            if (gen.chance(70)) {
                bulk.commit();
            }
        } finally {
            if (gen.chance(90)) {
                bulk.close();
            }
        }
    }

    private void share(Gen gen) throws SQLException {
        Connection connection = world.connect();
        connection.setAutoCommit(gen.chance(50));
        shareConnected(gen, connection);
        if (!world.setting.shared() || !CONNECTIONS_SHARED) {
            connection.close();
        }
    }

    private void shareConnected(Gen gen, Object thing) {
        if (CONNECTIONS_SHARED) {
            world.share(gen, thing);
        }
    }

    /// Acts on an object that another thread may be using.
    private void meddle(@Nullable Object thing, Gen gen) throws SQLException {
        switch (thing) {
            case Connection shared -> meddleWith(shared, gen);
            case ResultSet result -> {
                if (gen.chance(80)) {
                    for (int i = 0; i < 5 && result.next(); i++) {
                        Object _ = result.getObject(1);
                    }
                } else {
                    result.close();
                }
            }
            case Statement statement -> {
                switch (gen.below(3)) {
                    case 0 -> statement.cancel();
                    case 1 -> statement.close();
                    default -> statement.execute("SELECT COUNT(*) FROM child");
                }
            }
            case null, default -> {
                Connection other = world.own.get(gen.below(world.setting.threads()));
                if (other != null
                        && CONNECTIONS_SHARED
                        && world.setting.shared()
                        && gen.chance(20)) {
                    if (gen.chance(50)) {
                        other.close();
                    } else {
                        other.abort(Runnable::run);
                    }
                }
            }
        }
    }

    private static void meddleWith(Connection shared, Gen gen) throws SQLException {
        switch (gen.below(8)) {
            case 0, 1 -> shared.commit();
            case 2, 3 -> shared.rollback();
            case 4 -> shared.close();
            case 5 -> shared.abort(Runnable::run);
            case 6 -> shared.setAutoCommit(gen.chance(50));
            default -> shared.rollback(shared.setSavepoint());
        }
    }

    @Override
    public void close() throws SQLException {
        Connection last = own;
        if (last != null) {
            last.close();
        }
    }
}
