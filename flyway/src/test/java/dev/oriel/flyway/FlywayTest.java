package dev.oriel.flyway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Flyway's commands on a database in memory.
@Timeout(300)
class FlywayTest {
    private static final String URL = "jdbc:oriel:mem:flyway";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(URL);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private static FluentConfiguration configured() {
        return Flyway.configure().dataSource(URL, "", "").cleanDisabled(false);
    }

    private List<String> ask(String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private Flyway ofFolder() {
        return configured().locations("filesystem:" + folder).load();
    }

    @Test
    void migrationsRunOnceAndAreValid() throws SQLException {
        Flyway flyway = configured().load();
        assertEquals(3, flyway.migrate().migrationsExecuted);
        assertEquals(0, flyway.migrate().migrationsExecuted);
        flyway.validate();
        assertEquals(List.of("it's; one", "two; "), ask("SELECT name FROM names"));
        MigrationInfo current = flyway.info().current();
        assertEquals("more", current.getDescription());
        assertEquals(
                List.of("1", "2"),
                ask(
                        "SELECT version FROM flyway_schema_history WHERE version IS NOT NULL AND success"
                                + " ORDER BY installed_rank"));
    }

    @Test
    void cleanTakesEverythingAway() throws SQLException {
        Flyway flyway = configured().load();
        flyway.migrate();
        flyway.clean();
        assertEquals(List.of(), ask("SELECT table_name FROM information_schema.tables"));
        assertEquals(List.of(), ask("SELECT sequence_name FROM information_schema.sequences"));
        assertEquals(3, flyway.migrate().migrationsExecuted);
    }

    @Test
    void otherSchemasAreLeftAlone() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA shop");
            statement.execute("CREATE TABLE shop.basket (id INT PRIMARY KEY)");
            statement.execute("CREATE SEQUENCE shop.numbers");
        }
        Flyway flyway = configured().load();
        assertEquals(3, flyway.migrate().migrationsExecuted); // PUBLIC is empty
        flyway.clean();
        assertEquals(List.of("basket"), ask("SELECT table_name FROM information_schema.tables"));
        assertEquals(
                List.of("numbers"), ask("SELECT sequence_name FROM information_schema.sequences"));
    }

    @Test
    void databaseThatIsNotEmptyIsTakenOverByBaseline() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(40))");
        }
        Flyway flyway = configured().baselineVersion("1").load();
        assertThrows(FlywayException.class, flyway::migrate);
        flyway.baseline();
        assertEquals(2, flyway.migrate().migrationsExecuted);
        assertEquals(
                List.of("1", "2"),
                ask(
                        "SELECT version FROM flyway_schema_history WHERE version IS NOT NULL ORDER BY 1"));
    }

    @Test
    void failedMigrationLeavesNothingAndIsRepaired() throws IOException, SQLException {
        write("V1__first.sql", "CREATE TABLE first (a INT);");
        write("V2__broken.sql", "CREATE TABLE second (a INT);\nINSERT INTO nothing VALUES (1);");
        assertThrows(FlywayException.class, () -> ofFolder().migrate());
        assertEquals(
                List.of("first"),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_name <>"
                                + " 'flyway_schema_history'"));
        write("V2__broken.sql", "CREATE TABLE second (a INT);");
        assertEquals(1, ofFolder().migrate().migrationsExecuted);
        write("V1__first.sql", "CREATE TABLE first (a INT); -- changed");
        assertThrows(FlywayException.class, () -> ofFolder().validate());
        ofFolder().repair();
        ofFolder().validate();
    }

    @Test
    void concurrentMigrationsRunOneAfterTheOther() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                runs.add(threads.submit(() -> configured().load().migrate().migrationsExecuted));
            }
            int executed = 0;
            for (Future<Integer> run : runs) {
                executed += run.get();
            }
            assertEquals(3, executed);
        }
    }

    @Test
    void otherSchemasAreRefused() {
        Flyway flyway = configured().schemas("other").load();
        FlywayException refused = assertThrows(FlywayException.class, flyway::migrate);
        assertTrue(String.valueOf(refused.getMessage()).contains("PUBLIC"), refused::toString);
        assertFalse(configured().load().info().all().length == 0);
    }
}
