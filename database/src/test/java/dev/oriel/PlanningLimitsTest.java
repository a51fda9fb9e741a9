package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Time limits and cancels while a statement is planned. What is constant is computed then, here for minutes.
class PlanningLimitsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final String SLOW_TO_PLAN =
            "SELECT repeat('a', 40) ~ '((((a{0,100}){0,100}){0,100}){0,100})b'";

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:oriel:mem:");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void aTimeoutCountsFromTheStartOfExecute() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertTimeoutPreemptively(
                    SOON,
                    () ->
                            assertThrows(
                                    SQLTimeoutException.class,
                                    () -> statement.execute(SLOW_TO_PLAN)));
            assertTimeoutPreemptively(
                    SOON,
                    () ->
                            assertThrows(
                                    SQLTimeoutException.class,
                                    () ->
                                            statement.executeUpdate(
                                                    "CREATE VIEW v AS " + SLOW_TO_PLAN)));
            try (ResultSet rows = statement.executeQuery("SELECT 1")) {
                assertTrue(rows.next());
            }
        }
    }

    @Test
    void aCancelOfAnotherThreadEndsPlanning() throws Exception {
        try (Statement statement = connection.createStatement()) {
            AtomicBoolean over = new AtomicBoolean();
            Thread other =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!over.get()) {
                                    cancel(statement);
                                    Thread.onSpinWait();
                                }
                            });
            SQLException cancelled =
                    assertTimeoutPreemptively(
                            SOON,
                            () ->
                                    assertThrows(
                                            SQLException.class,
                                            () -> statement.executeQuery(SLOW_TO_PLAN)));
            over.set(true);
            other.join();
            assertEquals("57014", cancelled.getSQLState());
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The limit ends with what it was for, also where that fails before it runs.
    @Test
    void aLimitEndsWithAStatementThatCannotBePlanned() throws Exception {
        try (Statement statement = connection.createStatement();
                PreparedStatement long1 =
                        connection.prepareStatement(
                                "SELECT COUNT(*) FROM generate_series(1, ?) g")) {
            statement.setQueryTimeout(1);
            assertThrows(SQLException.class, () -> statement.executeQuery("SELECT nothing"));
            assertThrows(SQLException.class, () -> statement.executeQuery("SELECT ?"));
            assertThrows(SQLException.class, () -> statement.executeUpdate("SELECT 1"));
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < Duration.ofMillis(1_500).toNanos()) {
                long1.setInt(1, 1_000);
                try (ResultSet rows = long1.executeQuery()) {
                    assertTrue(rows.next());
                }
            }
        }
    }
}
