package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
    @TempDir Path folder;

    private static void run(Connection connection, String... texts) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : texts) {
                var _ = statement.execute(text);
            }
        }
    }

    private static long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rs = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            assertTrue(rs.next());
            return rs.getLong(1);
        }
    }

    @Test
    void whatWasWrittenIsThereAfterReopening() throws SQLException {
        Path path = folder.resolve("a/b");
        try (Database db = Database.open(path);
                Connection c = db.connect()) {
            run(c, "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(20))");
            run(c, "INSERT INTO t VALUES (1, 'one'), (2, 'two')");
        }
        try (Database db = Database.open(path);
                Connection c = db.connect();
                Statement s = c.createStatement();
                ResultSet rs = s.executeQuery("SELECT name FROM t WHERE id = 2")) {
            assertTrue(rs.next());
            assertEquals("two", rs.getString("NAME"));
            assertFalse(rs.next());
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void interruptedThreadOpensWritesAndClosesAsEver() throws SQLException {
        Thread.currentThread().interrupt();
        try (Database db = Database.open(folder);
                Connection c = db.connect()) {
            run(c, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1)");
        } finally {
            assertTrue(Thread.interrupted());
        }
        try (Database db = Database.open(folder);
                Connection c = db.connect()) {
            assertEquals(1, count(c, "t"));
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    void handlesAndConnectionsOfOneFolderShareIt() throws SQLException, IOException {
        Path link = folder.resolveSibling(folder.getFileName() + "-link");
        Files.createSymbolicLink(link, folder);
        try (Database first = Database.open(folder);
                Connection a = first.connect();
                Database second = Database.open(link);
                Connection b =
                        DriverManager.getConnection(
                                "jdbc:oriel:" + folder + "/../" + folder.getFileName())) {
            run(a, "CREATE TABLE t (id INTEGER)");
            run(b, "INSERT INTO t VALUES (1)");
            assertEquals(1, count(a, "t"));
            assertEquals(first.toString(), second.toString());
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void aNewFolderSomeLevelsBelowALinkIsOneFolder() throws IOException {
        Path link = folder.resolveSibling(folder.getFileName() + "-link");
        Files.createSymbolicLink(link, folder);
        Path below = Path.of("a", "b", "db");
        try (Database first = Database.open(link.resolve(below));
                Database second = Database.open(link.resolve(below));
                Database third = Database.open(folder.resolve(below))) {
            assertEquals(first.toString(), second.toString());
            assertEquals(first.toString(), third.toString());
        } finally {
            Files.delete(link);
        }
    }

    @Test
    void connectionKeepsTheDatabaseOpenAfterItsHandleIsClosed() throws SQLException {
        Database db = Database.open(folder);
        Connection c = db.connect();
        db.close();
        db.close();
        assertThrows(ClosedException.class, db::check);
        Expect.error("08003", "closed", db::connect);
        run(c, "CREATE TABLE t (id INTEGER)");
        assertEquals(0, count(c, "t"));
        c.close();
        try (Database again =
                Database.open(
                        folder, DatabaseOptions.defaults().withDurability(Durability.WRITTEN))) {
            assertEquals(List.of(), again.check());
        }
    }

    @Test
    void sharedDatabaseIsNotOpenedInAnotherWay() {
        DatabaseOptions written = DatabaseOptions.defaults().withDurability(Durability.WRITTEN);
        try (Database db = Database.open(folder)) {
            UsageException e =
                    assertThrows(UsageException.class, () -> Database.open(folder, written));
            assertTrue(e.toString().contains("durability=WRITTEN"), e.toString());
            Expect.error(
                    "55000",
                    "other options",
                    () ->
                            DriverManager.getConnection(
                                    "jdbc:oriel:" + folder + "?durability=async"));
            assertEquals(List.of(), db.check());
        }
        try (Database db = Database.open(folder, written);
                Database joined = Database.open(folder)) {
            assertEquals(db.toString(), joined.toString());
        }
    }

    @Test
    void readOnlyHandleRefusesToWriteAndReadsOn() throws SQLException {
        try (Database db = Database.open(folder);
                Connection c = db.connect()) {
            run(c, "CREATE TABLE t (id INTEGER)", "INSERT INTO t VALUES (1)", "CREATE SEQUENCE s");
            String url = "jdbc:oriel:" + folder + "?readOnly=true";
            try (Connection reader = DriverManager.getConnection(url)) {
                assertTrue(reader.isReadOnly());
                assertEquals(1, count(reader, "t"));
                Expect.error(
                        "25006", "reading only", () -> run(reader, "INSERT INTO t VALUES (2)"));
                Expect.error("25006", "reading only", () -> reader.setReadOnly(false));
                for (String drawn : List.of("NEXTVAL('s') > 0", "SETVAL('s', 7) > 0")) {
                    Expect.error("25006", "read-only", () -> count(reader, "t WHERE " + drawn));
                }
            }
            c.setReadOnly(true);
            Expect.error("25006", "read-only", () -> run(c, "DELETE FROM t"));
            c.setReadOnly(false);
            run(c, "INSERT INTO t VALUES (2)");
        }
        DatabaseOptions readOnly = DatabaseOptions.defaults().withReadOnly(true);
        try (Database db = Database.open(folder);
                Database reader = Database.open(folder, readOnly)) {
            assertThrows(UsageException.class, reader::compact);
            db.compact();
        }
        try (Database db = Database.open(folder, readOnly);
                Connection c = db.connect()) {
            assertThrows(UsageException.class, db::compact);
            assertEquals(2, count(c, "t"));
            Expect.error("25006", "reading only", () -> run(c, "INSERT INTO t VALUES (3)"));
            assertThrows(
                    UsageException.class, () -> Database.open(folder, DatabaseOptions.defaults()));
        }
    }

    @Test
    void memoryDatabaseLivesWhileSomebodyHoldsIt() throws SQLException {
        String url = "jdbc:oriel:mem:shared";
        try (Connection a = DriverManager.getConnection(url)) {
            run(a, "CREATE TABLE t (id INTEGER)");
            try (Connection b = DriverManager.getConnection(url);
                    Database db = Database.inMemory("shared");
                    Connection c = db.connect()) {
                run(b, "INSERT INTO t VALUES (1)");
                assertEquals(1, count(c, "t"));
            }
            assertEquals(1, count(a, "t"));
        }
        try (Connection a = DriverManager.getConnection(url)) {
            Expect.error("42P01", "t", () -> count(a, "t"));
        }
    }

    @Test
    void memoryDatabasesWithoutANameAreApart() throws SQLException {
        try (Connection a = DriverManager.getConnection("jdbc:oriel:mem:");
                Connection b = DriverManager.getConnection("jdbc:oriel:mem:");
                Database db = Database.inMemory();
                Connection c = db.connect();
                Connection d = db.connect()) {
            run(a, "CREATE TABLE t (id INTEGER)");
            run(c, "CREATE TABLE u (id INTEGER)");
            Expect.error("42P01", "t", () -> count(b, "t"));
            Expect.error("42P01", "t", () -> count(c, "t"));
            assertEquals(0, count(d, "u"));
        }
    }

    @Test
    void dataSourceOpensItsUrl() throws SQLException {
        OrielDataSource source = new OrielDataSource("jdbc:oriel:mem:");
        try (Connection c = source.getConnection("anyone", "")) {
            assertTrue(c.isValid(1));
        }
        Expect.error("08001", "jdbc:oriel:", new OrielDataSource()::getConnection);
    }

    @Test
    void filesOfAnotherKindAreRefusedAndLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "hello");
        UsageException e = assertThrows(UsageException.class, () -> Database.open(file));
        assertTrue(e.toString().contains("file"), e.toString());
        Expect.error("55000", "notes.txt", () -> DriverManager.getConnection("jdbc:oriel:" + file));
        UsageException other = assertThrows(UsageException.class, () -> Database.open(folder));
        assertTrue(other.toString().contains("other files"), other.toString());
        assertEquals("hello", Files.readString(file));
        assertThrows(
                UsageException.class,
                () ->
                        Database.open(
                                folder.resolve("none"),
                                DatabaseOptions.defaults().withReadOnly(true)));
        assertFalse(Files.exists(folder.resolve("none")));
        Path below = file.resolve("db");
        Expect.error("58030", "path=", () -> DriverManager.getConnection("jdbc:oriel:" + below));
    }

    @Test
    void databaseThatAnotherProcessHoldsNamesIt() throws Exception {
        Process holder = startHolder();
        try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
            assertEquals("open", out.readLine());
            LimitException e = assertThrows(LimitException.class, () -> Database.open(folder));
            assertTrue(e.toString().contains("process " + holder.pid()), e.toString());
            Expect.error(
                    "55006",
                    "process " + holder.pid(),
                    () -> DriverManager.getConnection("jdbc:oriel:" + folder));
        } finally {
            holder.destroyForcibly();
            holder.waitFor();
        }
        try (Database db = Database.open(folder)) {
            assertEquals(List.of(), db.check());
        }
    }

    private Process startHolder() throws IOException {
        Set<String> classPath = new LinkedHashSet<>();
        for (Class<?> type :
                List.of(
                        Database.class,
                        DatabaseHolder.class,
                        dev.oriel.sql.engine.Sql.class,
                        dev.oriel.kv.Buckets.class,
                        dev.oriel.table.engine.Tables.class,
                        dev.oriel.store.engine.Store.class,
                        dev.oriel.io.Directory.class,
                        dev.oriel.profiler.Probe.class)) {
            classPath.add(root(type));
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-cp",
                        String.join(File.pathSeparator, classPath),
                        DatabaseHolder.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// Where `type` was loaded from: a folder of classes, or a jar.
    private static String root(Class<?> type) {
        String file = type.getResource(type.getSimpleName() + ".class").toString();
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String place = file.substring(0, file.length() - name.length());
        String url = place.startsWith("jar:") ? place.substring(4, place.length() - 1) : place;
        return Path.of(URI.create(url)).toString();
    }
}
