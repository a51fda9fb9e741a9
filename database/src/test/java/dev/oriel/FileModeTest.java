package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.FileMode;
import dev.oriel.store.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The permissions of the folder and of all files in it, in each way that they are created.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "NTFS has no POSIX permissions")
class FileModeTest {
    private static final DatabaseOptions GROUP =
            DatabaseOptions.defaults().withFileMode(FileMode.GROUP);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void aNewDatabaseBelongsToItsOwnerAlone() throws SQLException, IOException {
        Path home = folder.resolve("above/db");
        try (Database db = Database.open(home)) {
            fill(db);
            assertModes(home, "rwx------", "rw-------");
        }
        assertModes(home, "rwx------", "rw-------");
        assertEquals(
                Files.getPosixFilePermissions(Files.createDirectory(folder.resolve("usual"))),
                Files.getPosixFilePermissions(folder.resolve("above")),
                "a folder above it has the usual permissions");
    }

    @Test
    void theGroupMayReadWhatWasCreatedForIt() throws SQLException, IOException {
        Path home = folder.resolve("db");
        try (Database db = Database.open(home, GROUP)) {
            fill(db);
            assertModes(home, "rwxr-x---", "rw-r-----");
        }
        assertModes(home, "rwxr-x---", "rw-r-----");
    }

    @Test
    void theUrlNamesTheMode() throws SQLException, IOException {
        Path home = folder.resolve("db");
        DriverManager.getConnection("jdbc:oriel:" + home + "?fileMode=Group").close();
        assertModes(home, "rwxr-x---", "rw-r-----");
        SQLException unknown =
                assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection("jdbc:oriel:" + home + "?fileMode=all"));
        assertEquals("08001", unknown.getSQLState());
        assertTrue(
                String.valueOf(unknown.getMessage()).contains("owner, group"),
                unknown.getMessage());
    }

    @Test
    void aDatabaseKeepsItsModeWhateverTheNextOneSays() throws SQLException, IOException {
        Path shared = folder.resolve("shared");
        Path own = folder.resolve("own");
        Database.open(shared, GROUP).close();
        Database.open(own).close();
        try (Database db = Database.open(shared)) {
            fill(db);
        }
        try (Database db = Database.open(own, GROUP)) {
            fill(db);
        }
        Database.compact(shared, Progress.NONE);
        Database.compact(own, Progress.NONE);
        assertModes(shared, "rwxr-x---", "rw-r-----");
        assertModes(own, "rwx------", "rw-------");
    }

    @Test
    void copiesHaveTheModeOfTheirDatabase() throws SQLException, IOException {
        for (FileMode mode : FileMode.values()) {
            Path home = folder.resolve(mode + "");
            Path copy = folder.resolve(mode + "-copy");
            Path again = folder.resolve(mode + "-again");
            Database.open(home, DatabaseOptions.defaults().withFileMode(mode)).close();
            try (Database db = Database.open(home)) {
                fill(db);
                db.backup(copy);
            }
            Database.restore(copy, again);
            Database.open(again).close();
            boolean alone = mode == FileMode.OWNER;
            for (Path copied : new Path[] {copy, again}) {
                assertModes(
                        copied,
                        alone ? "rwx------" : "rwxr-x---",
                        alone ? "rw-------" : "rw-r-----");
            }
        }
    }

    @Test
    void filesThatAQueryKeepsItsRowsInHaveTheMode() throws SQLException, IOException {
        Path home = folder.resolve("db");
        try (Database db = Database.open(home, GROUP.withQueryBytesMax(1 << 16));
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            fill(db);
            long before = count(home);
            statement
                    .executeQuery("SELECT * FROM t AS a, t AS b WHERE b.id < 5 ORDER BY a.text")
                    .next();
            assertTrue(count(home) > before, "a file of the query");
            assertModes(home, "rwxr-x---", "rw-r-----");
        }
    }

    private static long count(Path home) throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.count();
        }
    }

    /// What its user made is left as it is.
    @Test
    void anExistingFolderKeepsItsPermissions() throws SQLException, IOException {
        Path home = Files.createDirectory(folder.resolve("db"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwx--x"));
        try (Database db = Database.open(home)) {
            fill(db);
        }
        assertModes(home, "rwxrwx--x", "rw-------");
    }

    private static void fill(Database db) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text VARCHAR)");
            statement.execute(
                    "INSERT INTO t SELECT i, 'a longer text ' || i FROM generate_series(1, 5000) AS s(i)");
        }
    }

    private static void assertModes(Path home, String ofFolder, String ofFiles) throws IOException {
        Map<String, String> actual = new TreeMap<>();
        try (Stream<Path> files = Files.list(home)) {
            for (Path file : files.toList()) {
                actual.put(String.valueOf(file.getFileName()), mode(file));
            }
        }
        assertTrue(actual.size() > 1, actual + "");
        Map<String, String> wanted = new TreeMap<>();
        actual.keySet().forEach(name -> wanted.put(name, ofFiles));
        assertEquals(wanted, actual);
        assertEquals(ofFolder, mode(home));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
