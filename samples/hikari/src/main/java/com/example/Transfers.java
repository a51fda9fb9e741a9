package com.example;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/** Moves money between accounts, through a pool of connections. */
public final class Transfers {
    private static final int ACCOUNTS = 80;
    private static final int THREADS = 8;
    private static final int TRANSFERS = 500;

    private Transfers() {}

    public static void main(String[] arguments) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:oriel:mem:bank");
        config.setMaximumPoolSize(THREADS);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            create(pool);
            List<Future<Integer>> tasks = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                for (int i = 0; i < THREADS; i++) {
                    Random random = new Random(i);
                    tasks.add(threads.submit(() -> transfers(pool, random)));
                }
            }
            int again = 0;
            for (Future<Integer> task : tasks) {
                again += task.get();
            }
            System.out.println(again + " transfers were run again");
            System.out.println(
                    "The accounts hold " + sum(pool) + " after " + THREADS * TRANSFERS + " transfers");
        }
    }

    private static void create(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT NOT NULL)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO account VALUES (?, 1000)")) {
                for (int i = 0; i < ACCOUNTS; i++) {
                    insert.setInt(1, i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
        }
    }

    /** How many were run again because two of them met. */
    private static int transfers(DataSource pool, Random random) throws SQLException {
        int again = 0;
        for (int i = 0; i < TRANSFERS; i++) {
            int from = random.nextInt(ACCOUNTS);
            int to = random.nextInt(ACCOUNTS);
            int amount = random.nextInt(100);
            while (!transferred(pool, from, to, amount)) {
                again++;
            }
        }
        return again;
    }

    private static boolean transferred(DataSource pool, int from, int to, int amount)
            throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement change =
                        connection.prepareStatement(
                                "UPDATE account SET balance = balance + ? WHERE id = ?")) {
            try {
                change.setInt(1, -amount);
                change.setInt(2, from);
                change.executeUpdate();
                change.setInt(1, amount);
                change.setInt(2, to);
                change.executeUpdate();
                connection.commit();
                return true;
            } catch (SQLException failure) {
                connection.rollback();
                // 40001: another one has changed the account; 40P01: two waited for each other.
                if (failure.getSQLState().startsWith("40")) {
                    return false;
                }
                throw failure;
            }
        }
    }

    private static long sum(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
