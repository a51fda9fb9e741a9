package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Databases written by earlier versions open, hold what they held, and can be changed. Each version of the file format
/// has one that was closed and one as a kill left it, with commits that are in the log alone. They are never written
/// again: a new version adds its own.
final class FormatVersionsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"version-2-closed", "version-2-open", "version-3-closed", "version-3-open"})
    void anEarlierDatabaseOpens(String name) throws Exception {
        Path path = unpacked(name);
        DatabaseOptions reading = DatabaseOptions.defaults().withReadOnly(true);
        try (Database database = Database.open(path, reading)) {
            assertHolds(database, name);
        }
        try (Database database = Database.open(path)) {
            assertHolds(database, name);
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE person ADD COLUMN added INTEGER DEFAULT 5");
                statement.execute("UPDATE person SET note = name WHERE id > 550");
                statement.execute("CREATE INDEX person_born ON person (born, height)");
            }
            database.compact();
        }
        try (Database database = Database.open(path)) {
            assertHolds(database, name);
            assertEquals("580", one(database, "SELECT COUNT(*) FROM person WHERE added = 5"));
            assertEquals(
                    "49", one(database, "SELECT COUNT(*) FROM person WHERE note LIKE 'name %'"));
        }
    }

    private static void assertHolds(Database database, String name) throws SQLException {
        assertEquals(List.of(), database.check());
        assertEquals("580", one(database, "SELECT COUNT(*) FROM person"));
        assertEquals("500", one(database, "SELECT id FROM person WHERE name = 'changed'"));
        assertEquals("190", one(database, "SELECT COUNT(*) FROM visit"));
        assertEquals("10000", one(database, "SELECT CHAR_LENGTH(note) FROM person WHERE id = 100"));
        assertEquals(
                "t|7|0.5|1e+100|2024-02-29 12:30:00.123456|2024-02-29 10:30:00+00|10:20:30"
                        + "|123e4567-e89b-12d3-a456-426614174000|\\x00ff10|1 mon 2 days"
                        + "|{\"a\": [1, 2]}|{1,NULL,3}",
                one(
                        database,
                        "SELECT CONCAT_WS('|', CASE WHEN b THEN 't' END, i, r, d, t, z, h, u, x, s,"
                                + " j, a) FROM typed WHERE k = 1"));
        assertEquals("1", one(database, "SELECT COUNT(*) FROM typed WHERE k = -1 AND b IS NULL"));
        if (name.startsWith("version-3")) {
            assertEquals(
                    "284", one(database, "SELECT COUNT(*) FROM tall")); // heights repeat every 50
        }
    }

    private static String one(Database database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }

    private Path unpacked(String name) throws IOException {
        Path path = Files.createDirectory(folder.resolve(name));
        try (InputStream in =
                FormatVersionsTest.class.getResourceAsStream("/formats/" + name + ".zip")) {
            ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in));
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, path.resolve(entry.getName()));
            }
        }
        return path;
    }
}
