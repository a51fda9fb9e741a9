package dev.oriel.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application that never closes its database, only gets killed. A copy of the files of an open
/// database, taken between commits, is what a kill would leave; no process is needed for it.
class RepeatedKillTest {
    private static final DatabaseOptions OPTIONS =
            DatabaseOptions.defaults().withDurability(Durability.WRITTEN);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void smallCommitsBetweenKillsTakeLittleSpace() throws Exception {
        Path path = folder.resolve("0");
        for (int i = 1; i <= 30; i++) {
            Path next = folder.resolve(Integer.toString(i));
            try (Database database = Database.open(path, OPTIONS);
                    Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY)");
                statement.execute("INSERT INTO t VALUES (" + i + ")");
                assertEquals(List.of(), database.check());
                copy(path, next);
            }
            delete(path);
            path = next;
        }
        long bytes = bytes(path);
        assertTrue(bytes < 8 << 20, () -> "30 rows take " + (bytes >> 10) + " KB");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectory(to);
        for (Path file : files(from)) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    private static void delete(Path path) throws IOException {
        for (Path file : files(path)) {
            Files.delete(file);
        }
        Files.delete(path);
    }

    private static long bytes(Path path) throws IOException {
        long bytes = 0;
        for (Path file : files(path)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    private static List<Path> files(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        }
    }
}
