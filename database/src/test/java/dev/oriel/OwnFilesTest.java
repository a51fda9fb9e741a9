package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// No statement reads or writes a file of an open database, under any of its names.
class OwnFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    @DisabledOnOs(OS.WINDOWS) // links are a privilege there
    void ownFilesAreRefusedUnderEachOfTheirNames() throws Exception {
        Path home = folder.resolve("db");
        try (Database db = Database.open(home);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a VARCHAR(100))");
            statement.execute("INSERT INTO t VALUES ('kept')");
            for (Path name : names(home)) {
                refused(statement, "COPY (SELECT 1) TO '" + name + "'");
                refused(statement, "COPY t TO '" + name + "'");
                refused(statement, "COPY t FROM '" + name + "'");
                refused(
                        statement,
                        "CREATE EXTERNAL TABLE e (a VARCHAR(100)) ORGANIZATION (FILENAME='"
                                + name
                                + "')");
            }
            refused(statement, "COPY t TO '" + home.resolve("new") + "'");
            try (Statement again = connection.createStatement()) {
                again.execute("INSERT INTO t VALUES ('too')");
            }
            assertEquals(List.of(), db.check());
        }
        try (Database db = Database.open(home)) {
            assertEquals(List.of(), db.check());
        }
    }

    /// What was an ordinary file as the table was defined may have become a link since.
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void anExternalTableThatLeadsToAnOwnFileLaterIsRefused() throws Exception {
        Path home = folder.resolve("db");
        Path file = folder.resolve("e.csv");
        try (Database db = Database.open(home);
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE EXTERNAL TABLE e (a VARCHAR(100)) ORGANIZATION (FILENAME='"
                            + file
                            + "')");
            statement.execute("INSERT INTO e VALUES ('x')");
            Files.delete(file);
            Files.createSymbolicLink(file, home.resolve("data"));
            for (String sql :
                    List.of(
                            "INSERT INTO e VALUES ('x')",
                            "UPDATE e SET a = 'y'",
                            "DELETE FROM e",
                            "TRUNCATE TABLE e",
                            "SELECT * FROM e")) {
                refused(statement, sql);
            }
            assertEquals(List.of(), db.check());
        }
    }

    /// Whoever has it open: another process, or this one through another class loader.
    @Test
    void filesOfADatabaseThatIsNotOpenHereAreRefusedToo() throws Exception {
        Path other = folder.resolve("other");
        Database.open(other).close();
        try (Database db = Database.open(folder.resolve("db"));
                Connection connection = db.connect();
                Statement statement = connection.createStatement()) {
            refused(statement, "COPY (SELECT 1) TO '" + other.resolve("data") + "'");
            refused(statement, "COPY (SELECT 1) TO '" + other.resolve("new") + "'");
        }
        try (Database db = Database.open(other)) {
            assertEquals(List.of(), db.check());
        }
    }

    private List<Path> names(Path home) throws IOException {
        List<Path> names = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(home)) {
            all.filter(Files::isRegularFile).forEach(files::add);
        }
        assertTrue(files.contains(home.resolve("data")) && files.contains(home.resolve("lock")));
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), home);
        for (Path file : files) {
            Path name = file.getFileName();
            names.add(file);
            names.add(linked.resolve(name));
            names.add(home.resolve("..").resolve("db").resolve(".").resolve(name));
            names.add(Path.of("").toAbsolutePath().relativize(file));
            names.add(Files.createSymbolicLink(folder.resolve("s-" + name), file));
            names.add(Files.createSymbolicLink(folder.resolve("ss-" + name), Path.of("s-" + name)));
            names.add(Files.createLink(folder.resolve("h-" + name), file));
        }
        Path descriptors = Path.of("/proc/self/fd");
        if (Files.isDirectory(descriptors)) {
            try (Stream<Path> all = Files.list(descriptors)) {
                for (Path descriptor : all.toList()) {
                    Path open =
                            Files.isSymbolicLink(descriptor)
                                    ? Files.readSymbolicLink(descriptor)
                                    : descriptor;
                    if (open.equals(home.toRealPath())) {
                        names.add(descriptor.resolve("data")); // the folder itself is open too
                    } else if (open.startsWith(home.toRealPath())) {
                        names.add(descriptor);
                    }
                }
            }
        }
        return names;
    }

    private static void refused(Statement statement, String sql) {
        Expect.error("42501", "belongs to a database", () -> statement.execute(sql));
    }
}
