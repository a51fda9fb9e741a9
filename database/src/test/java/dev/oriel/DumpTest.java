package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Bucket;
import dev.oriel.kv.MapKey;
import dev.oriel.kv.MapValue;
import dev.oriel.kv.WriteOptions;
import dev.oriel.sql.engine.Script;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.UsageException;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Dumps, and databases made of them.
class DumpTest {
    @TempDir Path folder;

    /// Makes a database by the statements of `script`.
    private Path made(String name, String script) throws SQLException {
        Path path = folder.resolve(name);
        try (Database database = Database.open(path);
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : Script.statements(script)) {
                try {
                    statement.execute(each);
                } catch (SQLException e) {
                    throw new SQLException(each + ": " + e.getMessage(), e.getSQLState(), e);
                }
            }
        }
        return path;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(DumpTest.class.getResourceAsStream("/dump/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Path dumped(Path database, String name) {
        Path file = folder.resolve(name);
        try (Database open = Database.open(database)) {
            open.dump(file);
        }
        return file;
    }

    /// Dumps, restores and dumps again; both dumps are the same, and both databases tell the same of themselves.
    private Path roundTrip(Path original) throws IOException, SQLException {
        Path first = dumped(original, original.getFileName() + "-1.zip");
        Path restored = folder.resolve(original.getFileName() + "-restored");
        Database.restore(first, restored);
        Path second = dumped(restored, original.getFileName() + "-2.zip");
        assertSame(texts(first), texts(second));
        assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
        try (Database one = Database.open(original);
                Database other = Database.open(restored);
                Connection left = one.connect();
                Connection right = other.connect()) {
            assertSame(DatabaseDescription.of(left), DatabaseDescription.of(right));
            assertEquals(List.of(), other.check());
        }
        return restored;
    }

    private static <T> void assertSame(Map<String, T> expected, Map<String, T> actual) {
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((name, content) -> assertEquals(content, actual.get(name), name));
    }

    static Map<String, String> texts(Path zip) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (ZipFile file = new ZipFile(zip.toFile())) {
            for (ZipEntry entry : file.stream().toList()) {
                byte[] bytes = file.getInputStream(entry).readAllBytes();
                texts.put(entry.getName(), new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    @Test
    void everyKindOfDefinitionAndValueComesBack() throws Exception {
        roundTrip(made("all", resource("everything.sql")));
    }

    @Test
    void bucketsAndMapsComeBackAsSuch() throws Exception {
        Path path = folder.resolve("faces");
        byte[] large = new byte[5_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        try (Database database = Database.open(path)) {
            Bucket<byte[]> bucket = database.bucket("sessions");
            bucket.upsert("plain", new byte[] {1, 2});
            bucket.upsert("empty", new byte[0]);
            bucket.upsert("large", large);
            bucket.upsert(
                    "flagged",
                    new byte[] {3},
                    WriteOptions.none().withFlags(-2).expiringIn(Duration.ofDays(9)));
            bucket.upsert(
                    "short", new byte[] {4}, WriteOptions.none().expiringIn(Duration.ofMillis(1)));
            database.map("ledger", MapKey.longs(), MapValue.text()).put(7L, "😀");
            Thread.sleep(5);
        }
        Path restored = roundTrip(path);
        try (Database database = Database.open(restored)) {
            Bucket<byte[]> bucket = database.bucket("sessions");
            assertArrayEquals(new byte[] {1, 2}, bucket.get("plain"));
            assertArrayEquals(new byte[0], bucket.get("empty"));
            assertArrayEquals(large, bucket.get("large"));
            assertEquals(-2, Objects.requireNonNull(bucket.entry("flagged")).flags());
            assertTrue(Objects.requireNonNull(bucket.entry("flagged")).expiresAt() != null);
            assertEquals(null, bucket.get("short"));
            assertTrue(Objects.requireNonNull(bucket.entry("plain")).cas() != 0);
            assertEquals("😀", database.map("ledger", MapKey.longs(), MapValue.text()).get(7L));
        }
    }

    @Test
    void dumpIsOneStateBesideWriters() throws Exception {
        Path path =
                made(
                        "moving",
                        "CREATE TABLE a (id INT PRIMARY KEY, n INT); CREATE TABLE b (id INT PRIMARY KEY, n"
                                + " INT); INSERT INTO a SELECT x, 0 FROM GENERATE_SERIES(1, 500) AS g (x); INSERT"
                                + " INTO b SELECT x, 0 FROM GENERATE_SERIES(1, 500) AS g (x);");
        Path file = folder.resolve("moving.zip");
        try (Database database = Database.open(path)) {
            Thread dumping = Thread.ofPlatform().start(() -> database.dump(file));
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (int i = 0; dumping.isAlive(); i++) {
                    int id = 1 + i % 500;
                    statement.execute("UPDATE a SET n = n + 1 WHERE id = " + id);
                    statement.execute("UPDATE b SET n = n + 1 WHERE id = " + id);
                    connection.commit();
                }
            }
            dumping.join();
        }
        Map<String, String> texts = texts(file);
        assertEquals(texts.get("rows/a.csv"), texts.get("rows/b.csv"));
    }

    @Test
    void unpackedDumpIsRestoredAfterItWasMended() throws Exception {
        Path path = made("one", "CREATE TABLE t (id INT PRIMARY KEY); INSERT INTO t VALUES (1);");
        Path unpacked = folder.resolve("unpacked");
        Files.createDirectories(unpacked.resolve("rows"));
        for (Map.Entry<String, String> text : texts(dumped(path, "one.zip")).entrySet()) {
            String mended = text.getValue().replace("public.t", "public.other");
            Files.writeString(unpacked.resolve(text.getKey()), mended);
        }
        Path restored = folder.resolve("two");
        Database.restore(unpacked, restored);
        try (Database database = Database.open(restored);
                Connection connection = database.connect();
                ResultSet row = connection.createStatement().executeQuery("SELECT id FROM other")) {
            assertTrue(row.next());
        }
    }

    @Test
    void targetsThatAreTakenAreLeftAlone() throws Exception {
        Path path = made("one", "CREATE TABLE t (id INT);");
        Path file = dumped(path, "one.zip");
        byte[] before = Files.readAllBytes(file);
        try (Database database = Database.open(path)) {
            says(UsageException.class, "exists already; name a new one", () -> database.dump(file));
        }
        assertArrayEquals(before, Files.readAllBytes(file));
        says(UsageException.class, "not empty", () -> Database.restore(file, path));
        Path left = Files.createDirectory(folder.resolve("two.unfinished"));
        says(
                UsageException.class,
                "cut off, or is running",
                () -> Database.restore(file, folder.resolve("two")));
        Files.delete(left);
        Path halfFile = Files.createFile(folder.resolve("half.zip.unfinished"));
        try (Database database = Database.open(path)) {
            says(
                    UsageException.class,
                    "cut off; delete",
                    () -> database.dump(folder.resolve("half.zip")));
        }
        assertTrue(Files.exists(halfFile));
        Database.restore(file, Files.createDirectory(folder.resolve("two")));
        Database.open(folder.resolve("two")).close();
    }

    @Test
    void unfitFilesAreRefusedAndNothingIsLeft() throws Exception {
        Path path =
                made(
                        "one",
                        "CREATE TABLE t (id INT PRIMARY KEY, t TEXT); INSERT INTO t SELECT x, MD5(x::TEXT)"
                                + " FROM GENERATE_SERIES(1, 2000) AS g (x);");
        Path whole = dumped(path, "one.zip");
        byte[] bytes = Files.readAllBytes(whole);
        Path bad = folder.resolve("bad.zip");

        Files.write(bad, Arrays.copyOf(bytes, bytes.length / 2));
        refused(CorruptionException.class, "no complete dump", bad);
        Files.writeString(bad, "a letter");
        refused(CorruptionException.class, "no complete dump", bad);
        Files.write(bad, new byte[0]);
        refused(CorruptionException.class, "no complete dump", bad);
        byte[] flipped = bytes.clone();
        flipped[bytes.length / 2] ^= 4;
        Files.write(bad, flipped);
        refused(UsageException.class, "rows/t.csv", bad);

        Map<String, String> texts = texts(whole);
        String script = Objects.requireNonNull(texts.get("schema.sql"));
        zip(bad, Map.of("other.txt", "x"));
        refused(UsageException.class, "lacks a file", bad);
        zip(bad, Map.of("schema.sql", script));
        refused(UsageException.class, "missing=rows/t.csv", bad);
        zip(bad, Map.of("schema.sql", "CREATE TABLE t (id INT);"));
        refused(UsageException.class, "no mark of a format", bad);
        zip(bad, Map.of("schema.sql", "-- Oriel dump 2\n"));
        refused(UsageException.class, "format=2 known=1", bad);
        zip(bad, Map.of("schema.sql", "-- Oriel dump 1\nCREATE NONSENSE;"));
        refused(UsageException.class, "statement=CREATE NONSENSE", bad);
        zip(bad, Map.of("schema.sql", "-- Oriel dump 1\nSELECT 'open;"));
        refused(UsageException.class, "cannot be run", bad);
        zip(bad, Map.of("schema.sql", script, "rows/t.csv", "id,t\n1,a\n1,b\n"));
        refused(UsageException.class, "A row with this key exists", bad);
        zip(bad, Map.of("schema.sql", script, "rows/t.csv", "id,u\n1,a\n"));
        refused(UsageException.class, "header", bad);
        refused(UsageException.class, "no Oriel database", folder.resolve("absent.zip"));
    }

    private void refused(Class<? extends RuntimeException> type, String part, Path dump) {
        says(type, part, () -> Database.restore(dump, folder.resolve("new")));
        assertFalse(Files.exists(folder.resolve("new")));
        assertFalse(Files.exists(folder.resolve("new.unfinished")));
    }

    private static void says(Class<? extends RuntimeException> type, String part, Executable work) {
        String message = String.valueOf(assertThrows(type, work).getMessage());
        assertTrue(message.contains(part), message);
    }

    private static void zip(Path file, Map<String, String> texts) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, String> text : new TreeMap<>(texts).entrySet()) {
                zip.putNextEntry(new ZipEntry(text.getKey()));
                zip.write(text.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
    }

    @Test
    void dumpIsReadableByItsOwnerAlone() throws Exception {
        Path file = dumped(made("one", "CREATE TABLE t (id INT);"), "one.zip");
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertEquals(
                    "[OWNER_READ, OWNER_WRITE]",
                    new TreeSet<>(Files.getPosixFilePermissions(file)).toString());
        }
    }

    @Test
    void randomDatabasesComeBack() throws Exception {
        Gen gen = new Gen(Seed.of("DumpTest", 30));
        for (int i = 0; i < 8; i++) {
            String script = new RandomSchema(gen).script();
            try {
                roundTrip(made("random" + i, script));
            } catch (SQLException | RuntimeException | AssertionError e) {
                throw new AssertionError("script:\n" + script, e);
            }
        }
    }
}
