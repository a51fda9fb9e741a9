package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.MachineSpeed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of a database as its user meets them: how small they are, how fast they open, and what
/// is said of damaged ones.
class FilesTest {
    private static final long OPEN_NANOS_MAX = 10_000_000;

    /// The fastest counts: warm, and not disturbed for once.
    private static final int OPENINGS = 60;

    private static final int OPENINGS_MAX = 1_000;

    /// An opening makes about so many calls of the file system that change something.
    private static final int DISK_CALLS = 10;

    @TempDir Path temporary;

    private Path created(int rows) throws SQLException {
        Path path = temporary.resolve("db");
        try (Database database = Database.open(path);
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(40))");
            for (int i = 0; i < rows; i++) {
                statement.execute("INSERT INTO t VALUES (" + i + ", 'row number " + i + "')");
            }
        }
        return path;
    }

    @Test
    void databaseOfOneEmptyTableIsSmallAndOpensFast() throws Exception {
        Path path = created(0);
        long bytes = 0;
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        assertTrue(bytes < 256 << 10, "bytes=" + bytes);
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < OPENINGS || (fastest >= OPEN_NANOS_MAX && i < OPENINGS_MAX); i++) {
            long start = System.nanoTime();
            Database database = Database.open(path);
            fastest = Math.min(fastest, System.nanoTime() - start);
            database.close();
        }
        System.out.println("an empty database: " + bytes + " bytes, opened in " + fastest + " ns");
        if (fastest >= OPEN_NANOS_MAX) {
            double most = OPEN_NANOS_MAX * MachineSpeed.slowness(System::nanoTime);
            most += DISK_CALLS * fastestSyncedWriteNanos();
            assertTrue(fastest < most, "nanos=" + fastest + " most=" + most);
        }
    }

    /// What the disk takes by itself, which some wait for longer than others.
    private double fastestSyncedWriteNanos() throws IOException {
        long fastest = Long.MAX_VALUE;
        try (RandomAccessFile file = new RandomAccessFile(temporary.resolve("f").toFile(), "rw")) {
            for (int i = 0; i < OPENINGS; i++) {
                long start = System.nanoTime();
                file.seek(0);
                file.write(new byte[4096]);
                file.getFD().sync();
                fastest = Math.min(fastest, System.nanoTime() - start);
            }
        }
        return fastest;
    }

    @Test
    void cutOffDataFileIsRefusedByName() throws Exception {
        Path path = created(300);
        try (RandomAccessFile file = new RandomAccessFile(path.resolve("data").toFile(), "rw")) {
            file.setLength(3 * 8192);
        }
        SQLException refused = refusal(path);
        assertEquals("XX001", refused.getSQLState());
        assertSays("cut short", refused);
    }

    @Test
    void flippedBitIsFoundAndThePageNamed() throws Exception {
        Path path = created(300);
        flip(path.resolve("data"), 4 * 8192 + 8000); // a page of the table's
        SQLException refused = refusal(path);
        assertEquals("XX001", refused.getSQLState());
        assertSays("page=", refused);
    }

    @Test
    void otherPagesAreReadBesideADamagedOne() throws Exception {
        Path path = created(2000);
        int found = 0;
        for (int page = 4; page < 8; page++) {
            flip(path.resolve("data"), page * 8192L + 8000);
            try (Database database = Database.open(path);
                    Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.executeQuery("SELECT name FROM t WHERE id = 1999").close();
                List<String> wrong = database.check();
                String number = "page=" + page;
                assertTrue(wrong.getFirst().contains(number), wrong::toString);
                found++;
            } catch (SQLException | dev.oriel.store.CorruptionException e) {
                assertSays("page=", e);
            }
            flip(path.resolve("data"), page * 8192L + 8000);
        }
        assertTrue(found > 0, "every page was needed for every row");
        try (Database database = Database.open(path)) {
            assertEquals(List.of(), database.check());
        }
    }

    @Test
    void fileWhereAFolderIsMeantIsRefused() throws Exception {
        Path path = Files.writeString(temporary.resolve("notes.txt"), "no database");
        SQLException refused = refusal(path);
        assertEquals("no database", Files.readString(path));
        assertSays("notes.txt", refused);
    }

    private static void assertSays(String part, Exception e) {
        assertTrue(String.valueOf(e.getMessage()).contains(part), e::toString);
    }

    private static void flip(Path path, long position) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(position);
            int value = file.read();
            file.seek(position);
            file.write(value ^ 1);
        }
    }

    private static SQLException refusal(Path path) {
        return assertThrows(SQLException.class, () -> readAll(path));
    }

    private static void readAll(Path path) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:oriel:" + path);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, name FROM t")) {
            while (rows.next()) {
                rows.getString(2);
            }
        }
    }
}
