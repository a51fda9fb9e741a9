package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Statements that write the file of an external table wait for one another.
@Timeout(600)
class ExternalWritersTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    /// By itself it waits as the only writer of its database. It does not if its transaction has written already,
    /// or if it is in another database.
    @Test
    void truncateWaitsForAnInsertThatIsUnderWay() throws InterruptedException {
        for (boolean elsewhere : new boolean[] {false, true}) {
            Path file = folder.resolve(elsewhere + ".csv");
            try (TestDatabase one = new TestDatabase(60_000);
                    TestDatabase two = new TestDatabase(60_000)) {
                create(one, file);
                create(two, file);
                one.update("INSERT INTO e VALUES (1)");
                try (Session writing = one.sql().session();
                        Session emptying = (elsewhere ? two : one).sql().session()) {
                    emptying.autoCommit(false);
                    assertEquals(
                            "1 changed", TestDatabase.run(emptying, "INSERT INTO t VALUES (1)"));
                    truncatedBeside(writing, emptying, file);
                    emptying.rollback();
                }
                assertEquals(List.of("1"), one.query("SELECT i FROM e"));
                two.update("TRUNCATE TABLE e");
                assertEquals(List.of(), one.query("SELECT i FROM e"));
            }
        }
    }

    private static void create(TestDatabase database, Path file) {
        database.update(
                "CREATE EXTERNAL TABLE e (i BIGINT) ORGANIZATION (FILENAME='" + file + "')");
        database.update("CREATE TABLE t (i INT)");
    }

    private static void truncatedBeside(Session writing, Session emptying, Path file)
            throws InterruptedException {
        CancelledRun insert =
                new CancelledRun(
                        writing,
                        "INSERT INTO e SELECT i FROM generate_series(1, 1000000000000) AS s(i)");
        Path part = file.resolveSibling("." + file.getFileName() + ".part0");
        while (!Files.exists(part)) {
            assertTrue(insert.thread().isAlive(), () -> "ended: " + insert.answer());
            Thread.onSpinWait();
        }
        CancelledRun truncate = new CancelledRun(emptying, "TRUNCATE TABLE e");
        while (truncate.thread().getState() != Thread.State.TIMED_WAITING) {
            assertTrue(truncate.thread().isAlive(), "it does not wait");
            Thread.onSpinWait();
        }
        var _ = truncate.cancel(true);
        assertEquals(CancelledRun.CANCELLED, truncate.answer());
        var _ = insert.cancel(true);
        assertEquals(CancelledRun.CANCELLED, insert.answer());
    }
}
