package dev.oriel.flyway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
        assertEquals(
                List.of(),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
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
        assertEquals(3, flyway.migrate().migrationsExecuted); // public is empty
        flyway.clean();
        assertEquals(
                List.of("basket"),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
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
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') AND table_name <>"
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

    private static final String ALL_KINDS =
            """
            CREATE TYPE mood AS ENUM ('sad', 'glad');
            CREATE DOMAIN positive AS INT CHECK (VALUE > 0);
            CREATE TYPE place AS (x INT, y INT);
            CREATE TABLE parent (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, m mood, n positive, p place);
            CREATE TABLE child (id INT PRIMARY KEY, up INT REFERENCES parent);
            CREATE FUNCTION twice(a INT) RETURNS INT LANGUAGE SQL AS 'SELECT a * 2';
            CREATE FUNCTION twice(a INT, b INT) RETURNS INT LANGUAGE SQL AS 'SELECT (a + b) * 2';
            CREATE FUNCTION far(a place) RETURNS INT LANGUAGE SQL AS 'SELECT 1';
            CREATE VIEW seen AS SELECT twice(id) AS id, m FROM parent;
            CREATE MATERIALIZED VIEW kept AS SELECT id FROM seen;
            CREATE VIEW again AS SELECT id FROM kept;
            CREATE SEQUENCE numbers;
            CREATE TABLE parts (id INT) PARTITION BY RANGE (id);
            CREATE TABLE part PARTITION OF parts FOR VALUES FROM (1) TO (9);
            CREATE PROPERTY GRAPH family VERTEX TABLES (parent);
            """;

    @Test
    void cleanTakesEveryKindOfObjectAway() throws IOException, SQLException {
        write("V1__all.sql", ALL_KINDS);
        for (int i = 0; i < 2; i++) {
            assertEquals(1, ofFolder().migrate().migrationsExecuted);
            assertEquals(List.of("7"), ask("SELECT NEXTVAL('numbers') + twice(3)"));
            ofFolder().clean();
            assertEquals(List.of(), ask("SELECT relname FROM pg_class WHERE relnamespace = 2200"));
            assertEquals(List.of(), ask("SELECT typname FROM pg_type WHERE typnamespace = 2200"));
            assertEquals(List.of(), ask("SELECT proname FROM pg_proc WHERE pronamespace <> 11"));
        }
    }

    @Test
    void schemasAreMadeMigratedAndDropped() throws IOException, SQLException {
        write(
                "V1__all.sql",
                """
                CREATE TABLE basket (id INT PRIMARY KEY);
                CREATE TABLE store.shelf (id INT PRIMARY KEY);
                CREATE FUNCTION one() RETURNS INT LANGUAGE SQL AS 'SELECT 1';
                CREATE MATERIALIZED VIEW kept AS SELECT id FROM basket;
                """);
        FluentConfiguration both =
                configured().schemas("shop", "store").locations("filesystem:" + folder);
        String tables =
                "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1";
        for (int i = 0; i < 2; i++) {
            assertEquals(1, both.load().migrate().migrationsExecuted);
            assertEquals(0, both.load().migrate().migrationsExecuted);
            assertEquals(
                    List.of(
                            "shop.basket",
                            "shop.flyway_schema_history",
                            "shop.kept",
                            "store.shelf"),
                    ask(tables));
            both.load().clean();
            assertEquals(List.of(), ask(tables));
            assertEquals(List.of(), ask("SELECT proname FROM pg_proc WHERE pronamespace <> 11"));
            assertEquals(
                    List.of(),
                    ask(
                            "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE"
                                    + " 's%o%'"));
        }
    }

    @Test
    void existingSchemaIsUsedAndKept() throws IOException, SQLException {
        write("V1__all.sql", "CREATE TABLE basket (id INT PRIMARY KEY);");
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA shop");
        }
        FluentConfiguration own =
                configured().defaultSchema("SHOP").locations("filesystem:" + folder);
        assertEquals(1, own.load().migrate().migrationsExecuted);
        assertEquals(0, own.load().migrate().migrationsExecuted);
        assertEquals(
                List.of("shop.basket", "shop.flyway_schema_history"),
                ask(
                        "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER"
                                + " BY 1"));
        own.load().clean();
        assertEquals(
                List.of(),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
        assertEquals(
                List.of("shop"),
                ask(
                        "SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'shop'"));
    }

    @Test
    void cleanDropsGraphsOverItsTablesAndNoOthers() throws IOException, SQLException {
        write(
                "V1__all.sql",
                """
                CREATE TYPE mood AS ENUM ('sad', 'glad');
                CREATE TABLE basket (id INT PRIMARY KEY, m mood);
                CREATE PROPERTY GRAPH baskets VERTEX TABLES (shop.basket);
                """);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA shop");
            statement.execute("CREATE TABLE person (id INT PRIMARY KEY)");
            statement.execute("CREATE PROPERTY GRAPH people VERTEX TABLES (person)");
        }
        FluentConfiguration own =
                configured().defaultSchema("shop").locations("filesystem:" + folder);
        assertEquals(1, own.load().migrate().migrationsExecuted);
        own.load().clean();
        assertEquals(
                List.of("person"),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
        assertEquals(
                List.of("people"),
                ask("SELECT property_graph_name FROM information_schema.property_graphs"));
        assertEquals(List.of("e"), ask("SELECT typtype FROM pg_type WHERE typname = 'mood'"));
    }

    @Test
    void connectionWithoutSearchPathIsMigrated() throws IOException, SQLException {
        write("V1__all.sql", "CREATE TABLE basket (id INT PRIMARY KEY);");
        FluentConfiguration own =
                configured()
                        .initSql("SET search_path TO ''")
                        .defaultSchema("shop")
                        .locations("filesystem:" + folder);
        assertEquals(1, own.load().migrate().migrationsExecuted);
        assertEquals(
                List.of("shop"),
                ask(
                        "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
    }
}
