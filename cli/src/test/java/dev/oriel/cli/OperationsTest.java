package dev.oriel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `oriel backup`, `restore` and `compact`, on a database of two tables.
class OperationsTest {
    private static final int ROWS = 4000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private String db = "";
    private String copy = "";

    @BeforeEach
    void makeDatabase() {
        db = folder.resolve("db").toString();
        copy = folder.resolve("copies").resolve("one").toString();
        StringBuilder script = new StringBuilder();
        for (String table : new String[] {"early", "late"}) {
            script.append(
                    "CREATE TABLE %s (id INTEGER PRIMARY KEY, t VARCHAR(400));\n".formatted(table));
            script.append("INSERT INTO %s VALUES ".formatted(table));
            for (int i = 0; i < ROWS; i++) {
                script.append(i == 0 ? "" : ",").append("(%d, '%s')".formatted(i, "x".repeat(300)));
            }
            script.append(";\n");
        }
        assertEquals(0, Run.oriel(folder, script.toString(), "sql", db).exitCode());
    }

    private long rows(String path, String table) {
        Run run = Run.oriel(folder, "", "sql", path, "-c", "SELECT COUNT(*) FROM " + table);
        assertEquals(0, run.exitCode(), run.err());
        return Long.parseLong(run.out().replaceAll("(?s).*?(\\d+).*", "$1"));
    }

    private static void assertSays(String part, String text) {
        assertTrue(text.contains(part), text);
    }

    @Test
    void backupIsADatabaseThatCanBeCheckedAndRestored() throws IOException {
        Run backup = Run.oriel(folder, "", "backup", db, copy);
        assertEquals(0, backup.exitCode(), backup.err());
        assertSays("pages copied", backup.out());
        assertSays("The copy in " + copy + " is complete: ", backup.out());
        assertEquals("All is well.\n", Run.oriel(folder, "", "check", copy).out());
        Run.oriel(folder, "", "sql", db, "-c", "DELETE FROM early");
        String again = folder.resolve("again").toString();
        Run restore = Run.oriel(folder, "", "restore", copy, again);
        assertEquals(0, restore.exitCode(), restore.err());
        assertSays("The database in " + again + " is complete: ", restore.out());
        assertEquals(ROWS, rows(again, "early"));
        assertEquals(ROWS, rows(again, "late"));
        assertEquals(0, rows(db, "early"));
    }

    @Test
    void folderThatIsNotEmptyIsNamedAndLeftAlone() throws IOException {
        Files.createDirectories(Path.of(copy));
        Files.writeString(Path.of(copy, "letter.txt"), "dear");
        for (String command : new String[] {"backup", "restore"}) {
            Run run = Run.oriel(folder, "", command, db, copy);
            assertEquals(1, run.exitCode());
            assertSays("oriel: The folder is not empty; name an empty or a new one", run.err());
            assertSays("holds=letter.txt", run.err());
        }
        assertEquals("dear", Files.readString(Path.of(copy, "letter.txt")));
    }

    @Test
    void whereThereIsNoDatabaseEachCommandSaysSoAndCreatesNone() {
        Path empty = folder.resolve("copies");
        assertTrue(empty.toFile().mkdir());
        for (String[] words :
                new String[][] {
                    {"backup", empty.toString(), copy},
                    {"restore", empty.toString(), copy},
                    {"compact", empty.toString()}
                }) {
            Run run = Run.oriel(folder, "", words);
            assertEquals(1, run.exitCode());
            assertSays("There is no Oriel database", run.err());
            words[1] = folder.resolve("nowhere").toString();
            run = Run.oriel(folder, "", words);
            assertEquals(1, run.exitCode());
            assertSays("there is no ", run.err());
        }
        assertFalse(Files.exists(empty.resolve("data")));
        assertFalse(Files.exists(folder.resolve("nowhere")));
    }

    @Test
    void compactGivesTheSpaceOfAnEarlyTableBack() throws IOException {
        Run.oriel(folder, "", "sql", db, "-c", "DELETE FROM early");
        long before = FolderSize.of(Path.of(db));
        Run compact = Run.oriel(folder, "", "compact", db);
        assertEquals(0, compact.exitCode(), compact.err());
        assertSays(
                "  before         %15s\n".formatted(Figures.count(before, "byte")), compact.out());
        long after = FolderSize.of(Path.of(db));
        assertSays(
                "  after          %15s\n".formatted(Figures.count(after, "byte")), compact.out());
        assertTrue(after < before * 2 / 3, compact.out());
        assertEquals("All is well.\n", Run.oriel(folder, "", "check", db).out());
        assertEquals(ROWS, rows(db, "late"));
    }

    @Test
    void damagedBackupIsNotRestored() throws IOException {
        Run.oriel(folder, "", "backup", db, copy);
        byte[] bytes = Files.readAllBytes(Path.of(copy, "data"));
        bytes[20 * 8192 + 5000] ^= 1;
        Files.write(Path.of(copy, "data"), bytes);
        Run restore = Run.oriel(folder, "", "restore", copy, folder.resolve("again").toString());
        assertEquals(1, restore.exitCode());
        assertSays("The backup is damaged, and nothing was restored", restore.err());
        assertFalse(Files.exists(folder.resolve("again").resolve("data")));
    }
}
