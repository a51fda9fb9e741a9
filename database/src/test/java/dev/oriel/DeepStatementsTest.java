package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/// Deep statements through JDBC, in threads with small stacks and in virtual ones.
class DeepStatementsTest {
    private static final int MANY = 10_000;
    private static final String URL = "jdbc:oriel:mem:deep-statements";

    /// Work with a connection of its own.
    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private static void inSmallThreads(Work work) throws Exception {
        for (boolean virtual : new boolean[] {false, true}) {
            FutureTask<Void> task =
                    new FutureTask<>(() -> {
                        try (Connection connection = DriverManager.getConnection(URL)) {
                            work.on(connection);
                        }
                        return null;
                    });
            if (virtual) {
                Thread.ofVirtual().start(task);
            } else {
                new Thread(null, task, "small", 256 << 10).start();
            }
            task.get();
        }
    }

    private static int only(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getInt(1);
    }

    @Test
    void parametersAndLiteralsOfDeepStatements() throws Exception {
        inSmallThreads(connection -> {
            String sum = "SELECT x" + " + 0".repeat(MANY) + " FROM (VALUES (1), (2)) v (x)";
            String given = sum + " WHERE x = ?" + " + 0".repeat(MANY);
            try (PreparedStatement prepared = connection.prepareStatement(given)) {
                for (int i = 1; i <= 2; i++) {
                    prepared.setInt(1, i);
                    assertEquals(i, only(prepared.executeQuery()));
                }
            }
            try (Statement statement = connection.createStatement()) {
                for (int i = 1; i <= 2; i++) {
                    String written = given.replace("?", Integer.toString(i));
                    assertEquals(i, only(statement.executeQuery(written)));
                }
            }
        });
    }

    @Test
    void beyondTheLimitsTheStateIs54001() throws Exception {
        inSmallThreads(connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String text :
                        new String[] {
                            "SELECT 1" + " + 1".repeat(10 * MANY),
                            "SELECT " + "(".repeat(10 * MANY),
                            "SELECT * FROM (".repeat(MANY) + "SELECT 1" + ")".repeat(MANY),
                            "SELECT 1" + " UNION ALL SELECT 1".repeat(3 * MANY)
                        }) {
                    SQLException refused =
                            assertThrows(SQLException.class, () -> statement.executeQuery(text));
                    assertEquals("54001", refused.getSQLState(), refused::getMessage);
                }
                assertEquals(1, only(statement.executeQuery("SELECT 1")));
            }
        });
    }
}
