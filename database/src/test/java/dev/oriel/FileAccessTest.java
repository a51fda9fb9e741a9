package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.oriel.io.FileAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// How far the option `fileAccess` lets statements into the file system.
class FileAccessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static final DatabaseOptions USUAL = DatabaseOptions.defaults();

    /// Every statement that takes the name of a file.
    private static List<String> statements(Object file) {
        return List.of(
                "COPY t TO '" + file + "'",
                "COPY (SELECT 1) TO '" + file + "'",
                "COPY t FROM '" + file + "'",
                "CREATE EXTERNAL TABLE f (a INTEGER) ORGANIZATION (FILENAME='" + file + "')",
                "EXPLAIN ANALYZE COPY t TO '" + file + "'",
                "EXPLAIN ANALYZE COPY t FROM '" + file + "'",
                "INSERT INTO e VALUES (1)",
                "INSERT INTO e SELECT 1",
                "UPDATE e SET a = 2",
                "DELETE FROM e",
                "TRUNCATE TABLE e",
                "SELECT * FROM e",
                "INSERT INTO t SELECT * FROM e",
                "SELECT 1 WHERE EXISTS (SELECT 1 FROM e)");
    }

    /// A database with a table `t` and a table `e` of the file `outside.csv`.
    private Path database() throws SQLException {
        Path home = folder.resolve("db");
        Path outside = folder.resolve("outside.csv");
        try (Database db = Database.open(home)) {
            execute(
                    db,
                    "CREATE TABLE t (a INTEGER)",
                    "CREATE EXTERNAL TABLE e (a INTEGER) ORGANIZATION (FILENAME='" + outside + "')",
                    "INSERT INTO e VALUES (1)");
        }
        return home;
    }

    @Test
    void noneRefusesEachStatementThatUsesAFile() throws Exception {
        Path home = database();
        Path file = folder.resolve("file.csv");
        try (Database db = Database.open(home, USUAL.withFileAccess(FileAccess.NONE))) {
            for (String sql : statements(file)) {
                refused(db, "statements may use no files", sql);
            }
            execute(db, "DROP TABLE e");
        }
        assertFalse(Files.exists(file));
        assertEquals("1\n", Files.readString(folder.resolve("outside.csv")));
    }

    @Test
    void folderRefusesWhatIsOutsideOfIt() throws Exception {
        Path home = database();
        try (Database db = Database.open(home, USUAL.withFileAccess(FileAccess.FOLDER))) {
            for (String sql : statements(folder.resolve("file.csv"))) {
                refused(db, "it is outside of", sql);
            }
            Path files = Files.createDirectory(home.resolve(FileAccess.EXCHANGE));
            refused(db, "it is outside of", "COPY t TO '" + files.resolve("../../x.csv") + "'");
            refused(db, "it is outside of", "COPY t TO '../../x.csv'");
            refused(db, "belongs to a database", "COPY t TO '../data'");
            execute(
                    db,
                    "INSERT INTO t VALUES (7)",
                    "COPY t TO 't.csv'",
                    "COPY t FROM '" + files.resolve("t.csv") + "'",
                    "CREATE EXTERNAL TABLE f (a INTEGER) ORGANIZATION (FILENAME='f.csv')",
                    "INSERT INTO f SELECT * FROM t");
            assertEquals("7\n", Files.readString(files.resolve("t.csv")));
            assertEquals("7\n7\n", Files.readString(files.resolve("f.csv")));
            assertEquals(List.of(), db.check());
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // links are a privilege there
    void linksOutOfTheFolderAreRefusedAndSoAreDevices() throws Exception {
        Path home = database();
        Path files = Files.createDirectory(home.resolve(FileAccess.EXCHANGE));
        Path outside = folder.resolve("outside.csv");
        Files.createSymbolicLink(files.resolve("there"), outside);
        Files.createSymbolicLink(files.resolve("absent"), folder.resolve("new.csv"));
        Files.createSymbolicLink(files.resolve("up"), folder);
        Files.createSymbolicLink(files.resolve("zero"), Path.of("/dev/zero"));
        try (Database db = Database.open(home, USUAL.withFileAccess(FileAccess.FOLDER))) {
            for (String name : List.of("there", "absent", "up/new.csv", "up/outside.csv")) {
                refused(db, "it is outside of", "COPY t TO '" + name + "'");
            }
            refused(db, "it is outside of", "COPY t FROM 'there'");
            refused(db, "it is not a regular file", "COPY t FROM 'zero'");
            refused(db, "it is not a regular file", "COPY t FROM '/dev/zero'");
            refused(db, "it is not a regular file", "COPY t TO '/dev/null'");
        }
        assertFalse(Files.exists(folder.resolve("new.csv")));
    }

    @Test
    void namedFoldersCountInTheirOrder() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        String url = "jdbc:oriel:mem:?fileAccess=folder:" + one + "," + two;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT 1) TO 'x'");
            statement.execute("COPY (SELECT 2) TO '" + two.resolve("x") + "'");
            Expect.error(
                    "42501",
                    "it is outside of",
                    () -> statement.execute("COPY (SELECT 3) TO '" + folder.resolve("x") + "'"));
        }
        assertEquals("1\n", Files.readString(one.resolve("x")));
        assertEquals("2\n", Files.readString(two.resolve("x")));
    }

    @Test
    void handlesForReadingOnlyHaveTheFolderUnlessTheySayOtherwise() throws Exception {
        Path home = database();
        try (Database db = Database.open(home);
                Database reads = Database.open(home, USUAL.withReadOnly(true))) {
            execute(db, "COPY t TO '" + folder.resolve("x.csv") + "'");
            refused(reads, "it is outside of", "COPY t TO '" + folder.resolve("y.csv") + "'");
        }
        DatabaseOptions all = USUAL.withReadOnly(true).withFileAccess(FileAccess.ALL);
        try (Database reads = Database.open(home, all)) {
            execute(reads, "COPY t TO '" + folder.resolve("z.csv") + "'");
        }
    }

    @Test
    void aDatabaseInMemoryHasNoFolderOfItsOwn() throws Exception {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:oriel:mem:?fileAccess=folder");
                Statement statement = connection.createStatement()) {
            Expect.error(
                    "42501",
                    "a database in memory has no folder",
                    () -> statement.execute("COPY (SELECT 1) TO 'x'"));
        }
    }

    @Test
    void otherWordsAreRefusedInTheUrl() {
        for (String value : List.of("some", "folder:", "folder:a,,b", "")) {
            Expect.error(
                    "08001",
                    "fileAccess is none, folder",
                    () -> DriverManager.getConnection("jdbc:oriel:mem:?fileAccess=" + value));
        }
    }

    private static void execute(Database db, String... sql) throws SQLException {
        try (Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                if (statement.execute(each)) {
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) {
                            assertFalse(rows.getString(1).isEmpty());
                        }
                    }
                }
            }
        }
    }

    private static void refused(Database db, String part, String sql) {
        Expect.error("42501", part, () -> execute(db, sql));
    }
}
