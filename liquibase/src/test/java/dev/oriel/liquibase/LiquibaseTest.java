package dev.oriel.liquibase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import liquibase.CatalogAndSchema;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.diff.DiffGeneratorFactory;
import liquibase.diff.DiffResult;
import liquibase.diff.compare.CompareControl;
import liquibase.diff.output.DiffOutputControl;
import liquibase.diff.output.changelog.DiffToChangeLog;
import liquibase.exception.LiquibaseException;
import liquibase.lockservice.LockService;
import liquibase.lockservice.LockServiceFactory;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.serializer.ChangeLogSerializerFactory;
import liquibase.snapshot.DatabaseSnapshot;
import liquibase.snapshot.SnapshotControl;
import liquibase.snapshot.SnapshotGeneratorFactory;
import liquibase.structure.DatabaseObject;
import liquibase.structure.core.Column;
import liquibase.structure.core.ForeignKey;
import liquibase.structure.core.Index;
import liquibase.structure.core.PrimaryKey;
import liquibase.structure.core.Sequence;
import liquibase.structure.core.Table;
import liquibase.structure.core.UniqueConstraint;
import liquibase.structure.core.View;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Liquibase's commands on databases in memory.
@Timeout(300)
class LiquibaseTest {
    private static final Logger LOG = Logger.getLogger("liquibase");

    static {
        LOG.setLevel(Level.WARNING);
    }

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @BeforeEach
    void open() throws Exception {
        database = opened("one");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static Database opened(String name) throws Exception {
        Connection connection = DriverManager.getConnection("jdbc:oriel:mem:liquibase-" + name);
        return DatabaseFactory.getInstance()
                .findCorrectDatabaseImplementation(new JdbcConnection(connection));
    }

    private Liquibase liquibase() {
        return liquibase("changelog.xml", database);
    }

    @Test
    void proceduresAreCreatedAndDropped() throws Exception {
        liquibase("procedures.xml", database).update("");
        assertEquals(List.of("1", "2", "100"), ask("SELECT n FROM heard ORDER BY n"));
        assertEquals(
                List.of("hear"),
                ask(
                        "SELECT routine_name FROM information_schema.routines WHERE"
                                + " routine_schema = 'public' ORDER BY 1"));
    }

    private static Liquibase liquibase(String file, Database of) {
        return new Liquibase(file, new ClassLoaderResourceAccessor(), of);
    }

    private List<String> ask(String query) throws SQLException {
        Connection connection =
                ((JdbcConnection) database.getConnection()).getUnderlyingConnection();
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    private static DatabaseSnapshot snapshot(Database of) throws Exception {
        return SnapshotGeneratorFactory.getInstance()
                .createSnapshot(of.getDefaultSchema(), of, new SnapshotControl(of));
    }

    @Test
    void changesOfEachTypeRunOnce() throws Exception {
        assertInstanceOf(OrielDatabase.class, database);
        liquibase().update("");
        liquibase().update("");
        assertEquals(List.of("ann@example.com"), ask("SELECT email FROM person"));
        assertEquals(List.of("2"), ask("SELECT COUNT(*) FROM databasechangelog"));
        assertEquals(List.of("Ann"), ask("SELECT name FROM owners"));
        assertEquals(List.of("10"), ask("SELECT NEXTVAL('numbers')"));
        assertEquals(List.of("1"), ask("SELECT grams FROM pet"));
    }

    @Test
    void otherChangesRunToo() throws Exception {
        liquibase("more-changes.xml", database).update("");
        assertEquals(
                List.of(
                        "1 New York NY 8",
                        "2 New Orleans LA 1",
                        "3 It's Boston MA 2",
                        "100 San Jose CA 3"),
                ask(
                        "SELECT id || ' ' || name || ' ' || state || ' ' || size FROM city ORDER BY id"));
        assertEquals(
                List.of("CA", "LA", "MA", "NY", "TX", "WA"),
                ask("SELECT code FROM state ORDER BY 1"));
        assertEquals(List.of("1", "4"), ask("SELECT NEXTVAL('strides') FROM (VALUES (1), (2)) t"));
        assertEquals(List.of("12"), ask("SELECT a FROM code"));
        assertEquals(List.of("4"), ask("SELECT COUNT(*) FROM cities"));
        assertEquals(List.of("tag"), ask("SELECT id FROM databasechangelog WHERE tag = 'whole'"));
        generatedMakesAnEqual();
    }

    @Test
    void snapshotHoldsEveryObject() throws Exception {
        liquibase().update("");
        DatabaseSnapshot found = snapshot(database);
        Table person = found.get(new Table(null, "public", "person"));
        assertNotNull(person);
        assertEquals("people", person.getRemarks());
        PrimaryKey key = person.getPrimaryKey();
        assertNotNull(key);
        assertEquals("person_key", key.getName());
        Column id = person.getColumn("id");
        assertTrue(id.isAutoIncrement());
        assertEquals(List.of("owners"), found.get(View.class).stream().map(View::getName).toList());
        assertEquals(
                List.of("pet_owner"),
                found.get(ForeignKey.class).stream().map(ForeignKey::getName).toList());
        assertTrue(
                found.get(Index.class).stream()
                        .anyMatch(index -> "person_name".equals(index.getName())));
        assertEquals(
                List.of("person_email"),
                found.get(UniqueConstraint.class).stream().map(UniqueConstraint::getName).toList());
        assertTrue(
                found.get(Sequence.class).stream()
                        .anyMatch(sequence -> "numbers".equals(sequence.getName())));
    }

    @Test
    void generatedChangeLogMakesAnEqualDatabase() throws Exception {
        liquibase().update("");
        generatedMakesAnEqual();
    }

    @Test
    void deferredKeysAreMadeFoundAndGenerated() throws Exception {
        liquibase("deferred.xml", database).update("");
        assertEquals(
                List.of("later YES", "now NO"),
                ask(
                        "SELECT constraint_name || ' ' || initially_deferred FROM"
                                + " information_schema.table_constraints WHERE constraint_name IN"
                                + " ('later', 'now') ORDER BY 1"));
        generatedMakesAnEqual();
        String generated = Files.readString(folder.resolve("generated.xml"));
        assertEquals(2, generated.split("initiallyDeferred=\"true\"", -1).length, generated);
    }

    private void generatedMakesAnEqual() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DiffToChangeLog(
                        difference(database, null),
                        new DiffOutputControl(false, false, false, null))
                .print(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        ChangeLogSerializerFactory.getInstance().getSerializer("xml"));
        Files.write(folder.resolve("generated.xml"), out.toByteArray());
        Database other = opened("two");
        try {
            new Liquibase("generated.xml", new DirectoryResourceAccessor(folder), other).update("");
            DiffResult none = difference(database, other);
            assertEquals(Set.of(), none.getMissingObjects());
            assertEquals(Set.of(), none.getUnexpectedObjects());
            assertEquals(Map.of(), none.getChangedObjects());
            Connection connection =
                    ((JdbcConnection) other.getConnection()).getUnderlyingConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE own (a INT)");
            }
            connection.commit();
            assertTrue(
                    difference(database, other).getUnexpectedObjects().stream()
                            .anyMatch(more -> "own".equals(more.getName())));
        } finally {
            other.close();
        }
    }

    private static DiffResult difference(Database from, @Nullable Database to) throws Exception {
        return DiffGeneratorFactory.getInstance().compare(from, to, CompareControl.STANDARD);
    }

    @Test
    void migrationWaitsForTheLockOfAnother() throws Exception {
        liquibase("empty.xml", database).update("");
        Database holder = opened("one");
        try {
            LockServiceFactory locks = LockServiceFactory.getInstance();
            locks.getLockService(holder).waitForLock();
            LockService own = locks.getLockService(database);
            own.setChangeLogLockRecheckTime(0);
            own.setChangeLogLockWaitTime(0);
            LiquibaseException refused =
                    assertThrows(LiquibaseException.class, () -> liquibase().update(""));
            assertTrue(String.valueOf(refused.getMessage()).contains("Currently locked by"));
            assertEquals(List.of("1"), ask("SELECT COUNT(*) FROM databasechangelog"));
            locks.getLockService(holder).releaseLock();
            liquibase().update("");
            assertEquals(List.of("Ann"), ask("SELECT name FROM owners"));
        } finally {
            holder.close();
        }
    }

    @Test
    void changesAreRolledBack() throws Exception {
        liquibase().update("");
        liquibase().rollback(1, "");
        assertEquals(List.of("1"), ask("SELECT COUNT(*) FROM databasechangelog"));
        assertEquals(List.of("0"), ask("SELECT COUNT(*) FROM pet"));
        liquibase().rollback(1, "");
        assertEquals(
                List.of("databasechangelog", "databasechangeloglock"),
                ask(
                        "SELECT LOWER(table_name) FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1"));
        liquibase().update("");
        assertEquals(List.of("Ann"), ask("SELECT name FROM owners"));
    }

    @Test
    void sequencesTakeStartsStepsAndCycles() throws Exception {
        liquibase("sequences.xml", database).update("");
        execute(
                "INSERT INTO counted (a) VALUES (1), (2)",
                "INSERT INTO numbered (a) VALUES (1), (2)");
        assertEquals(List.of("5", "8"), ask("SELECT id FROM counted ORDER BY id"));
        assertEquals(List.of("100", "102"), ask("SELECT id FROM numbered ORDER BY id"));
        assertEquals(
                List.of("ALWAYS", "BY DEFAULT"),
                ask(
                        "SELECT identity_generation FROM information_schema.columns WHERE"
                                + " column_name = 'id' AND table_schema = 'public' ORDER BY table_name"));
        for (String expected : List.of("1", "2", "1")) {
            assertEquals(List.of(expected), ask("SELECT NEXTVAL('round')"));
        }
    }

    private void execute(String... statements) throws SQLException {
        Connection connection =
                ((JdbcConnection) database.getConnection()).getUnderlyingConnection();
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
        connection.commit();
    }

    private DatabaseSnapshot snapshotOf(String schema) throws Exception {
        return SnapshotGeneratorFactory.getInstance()
                .createSnapshot(
                        new CatalogAndSchema(null, schema),
                        database,
                        new SnapshotControl(database));
    }

    private static List<String> names(
            DatabaseSnapshot snapshot, Class<? extends DatabaseObject> type) {
        return snapshot.get(type).stream().map(DatabaseObject::getName).sorted().toList();
    }

    @Test
    void snapshotOfOneSchemaHoldsNothingOfAnother() throws Exception {
        execute(
                "CREATE SCHEMA shop",
                "CREATE TABLE shop.item (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a INT, b INT,"
                        + " CONSTRAINT once UNIQUE (b))",
                "CREATE VIEW shop.seen AS SELECT 1 AS in_shop",
                "CREATE SEQUENCE shop.numbers",
                "CREATE TABLE item (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a INT, b INT,"
                        + " CONSTRAINT once UNIQUE (a))",
                "CREATE VIEW seen AS SELECT 1 AS in_public",
                "CREATE SEQUENCE item_id_sequence_of_mine",
                "CREATE TABLE old (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY)",
                "ALTER TABLE old RENAME TO renamed");
        DatabaseSnapshot own = snapshotOf("public");
        assertEquals(List.of("item_id_sequence_of_mine"), names(own, Sequence.class));
        assertEquals(List.of("seen"), names(own, View.class));
        View seen = own.get(new View(null, "public", "seen"));
        assertNotNull(seen);
        assertEquals("SELECT 1 AS in_public", seen.getDefinition());
        assertEquals(List.of("a"), uniqueColumns(own));
        DatabaseSnapshot shop = snapshotOf("shop");
        assertEquals(List.of("numbers"), names(shop, Sequence.class));
        View there = shop.get(new View(null, "shop", "seen"));
        assertNotNull(there);
        assertEquals("SELECT 1 AS in_shop", there.getDefinition());
        assertEquals(List.of("item"), names(shop, Table.class));
        assertEquals(List.of("b"), uniqueColumns(shop));
    }

    private static List<String> uniqueColumns(DatabaseSnapshot snapshot) {
        return snapshot.get(UniqueConstraint.class).stream()
                .flatMap(each -> each.getColumns().stream())
                .map(Column::getName)
                .toList();
    }

    @Test
    void defaultSchemaHoldsEverything() throws Exception {
        execute("CREATE SCHEMA shop");
        database.setDefaultSchemaName("shop");
        liquibase().update("");
        liquibase().update("");
        assertEquals(
                List.of("DATABASECHANGELOG", "DATABASECHANGELOGLOCK", "owners", "person", "pet"),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop'"
                                + " ORDER BY 1"));
        assertEquals(
                List.of("shop"),
                ask(
                        "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
        assertEquals(List.of("10"), ask("SELECT NEXTVAL('shop.numbers')"));
        DatabaseSnapshot found = snapshot(database);
        assertNotNull(found.get(new Table(null, "shop", "person")));
        liquibase().rollback(2, "");
        assertEquals(
                List.of("DATABASECHANGELOG", "DATABASECHANGELOGLOCK"),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void defaultSchemaLeavesTheConnectionAsItWas(boolean autoCommit) throws Exception {
        execute("CREATE SCHEMA shop");
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:liquibase-one")) {
            connection.setAutoCommit(autoCommit);
            Database pooled = ofPool(connection);
            pooled.setDefaultSchemaName("shop");
            assertEquals("shop", connection.getSchema());
            pooled.close();
            assertEquals(autoCommit, connection.getAutoCommit());
            assertEquals("public", connection.getSchema());
            connection.setAutoCommit(false);
            connection.rollback();
            assertEquals("public", connection.getSchema());
        }
    }

    @Test
    void defaultSchemaThatIsUnsetLeavesTheConnectionAsItWas() throws Exception {
        execute("CREATE SCHEMA shop");
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:liquibase-one")) {
            connection.setAutoCommit(false);
            Database pooled = ofPool(connection);
            pooled.setDefaultSchemaName("shop");
            pooled.commit();
            pooled.setDefaultSchemaName(null);
            assertEquals("public", connection.getSchema());
            pooled.close();
            assertEquals("public", connection.getSchema());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void migrationOfDefaultSchemaLeavesTheConnectionAsItWas(boolean autoCommit) throws Exception {
        execute("CREATE SCHEMA shop");
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:mem:liquibase-one")) {
            connection.setAutoCommit(autoCommit);
            Database pooled = ofPool(connection);
            pooled.setDefaultSchemaName("shop");
            pooled.rollback();
            assertEquals("shop", connection.getSchema());
            liquibase("changelog.xml", pooled).update("");
            assertEquals("shop", connection.getSchema());
            try (Statement statement = connection.createStatement()) {
                assertThrows(SQLException.class, () -> statement.execute("SELECT * FROM nowhere"));
            }
            pooled.close();
            assertEquals("public", connection.getSchema());
            assertEquals(
                    List.of("shop"),
                    ask(
                            "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')"));
        }
    }

    /// The database of a connection that stays open, as a pool's does.
    private static Database ofPool(Connection connection) throws Exception {
        Connection kept =
                (Connection)
                        Proxy.newProxyInstance(
                                LiquibaseTest.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (proxy, method, arguments) -> {
                                    try {
                                        return method.getName().equals("close")
                                                ? null
                                                : method.invoke(connection, arguments);
                                    } catch (InvocationTargetException e) {
                                        throw e.getTargetException();
                                    }
                                });
        return DatabaseFactory.getInstance()
                .findCorrectDatabaseImplementation(new JdbcConnection(kept));
    }

    @Test
    void missingDefaultSchemaIsAnError() throws Exception {
        database.setDefaultSchemaName("nowhere");
        LiquibaseException refused =
                assertThrows(LiquibaseException.class, () -> liquibase().update(""));
        Throwable root = refused;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        assertTrue(
                String.valueOf(root.getMessage()).contains("There is no schema \"nowhere\""),
                root::toString);
    }

    @Test
    void dropAllTakesEverythingAway() throws Exception {
        liquibase().update("");
        liquibase().dropAll(CatalogAndSchema.DEFAULT);
        assertEquals(
                List.of(),
                ask(
                        "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog') AND UPPER(table_name) NOT"
                                + " LIKE 'DATABASECHANGELOG%'"));
    }
}
