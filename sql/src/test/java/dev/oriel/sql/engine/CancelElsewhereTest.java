package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Session;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.table.definition.Catalog;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A cancel ends waits for another transaction, definitions, and statements that read and write files. [CancelTest]
/// covers every operator.
@Timeout(600)
class CancelElsewhereTest {
    private static final int LARGE_ROWS = 250_000;

    /// Time after which definitions are cancelled: each takes longer.
    private static final long RUNS_MILLIS = 10;

    /// Number of times that a statement may end before its cancel, on a machine that delays the cancelling thread.
    private static final int EARLY_MAX = 20;

    private static final String ENDLESS = "generate_series(1, 1000000000000) AS s(i)";

    @TempDir Path folder;
    private final TestDatabase database = new TestDatabase(60_000);

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private void awaitLockWait(Thread thread) {
        while (database.sql().tables().lockWaits().isEmpty()
                || thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive(), "it does not wait");
            Thread.onSpinWait();
        }
    }

    @Test
    void aWaitForAnotherTransactionEndsAndLeavesTheSessionUsable() throws InterruptedException {
        database.update("CREATE TABLE p (id INT PRIMARY KEY, n INT UNIQUE)");
        database.update("CREATE TABLE c (id INT PRIMARY KEY, p INT REFERENCES p (id))");
        database.update("INSERT INTO p VALUES (1, 1), (2, 2), (3, 3)");
        Session holder = database.session();
        holder.autoCommit(false);
        database.update("UPDATE p SET n = 10 WHERE id = 1");
        database.update("DELETE FROM p WHERE id = 2");
        database.update("INSERT INTO p VALUES (4, 40)");
        try (Session other = database.sql().session()) {
            for (String statement :
                    List.of(
                            "UPDATE p SET n = 11 WHERE id = 1",
                            "DELETE FROM p WHERE id = 2",
                            "INSERT INTO p VALUES (4, 4)",
                            "INSERT INTO p VALUES (5, 40)",
                            "INSERT INTO p VALUES (4, 4) ON CONFLICT (id) DO UPDATE SET n = 5",
                            "INSERT INTO c VALUES (1, 2)",
                            "SELECT * FROM p WHERE id = 1 FOR UPDATE",
                            "SELECT * FROM p WHERE id = 1 FOR SHARE",
                            "MERGE INTO p USING (SELECT 1 AS id) s ON p.id = s.id WHEN MATCHED THEN"
                                    + " UPDATE SET n = 12",
                            "CREATE INDEX p_n2 ON p (n, id)",
                            "ALTER TABLE p ADD COLUMN more INT DEFAULT 1",
                            "BEGIN EXCLUSIVE")) {
                List<CancelledRun.Noticed> noticed = new ArrayList<>();
                do {
                    CancelledRun running = new CancelledRun(other, statement);
                    awaitLockWait(running.thread());
                    noticed.add(running.cancel(true));
                    assertEquals(CancelledRun.CANCELLED, running.answer());
                } while (!noticed.getLast().isSoon() && noticed.size() < CancelledRun.ATTEMPTS);
                assertTrue(
                        noticed.getLast().isSoon(), () -> statement + " noticed after " + noticed);
                assertTrue(database.sql().tables().lockWaits().isEmpty(), statement);
                assertEquals("3", TestDatabase.run(other, "SELECT count(*) FROM p"), statement);
            }
            other.autoCommit(false);
            assertEquals("1 changed", TestDatabase.run(other, "UPDATE p SET n = 30 WHERE id = 3"));
            CancelledRun running = new CancelledRun(other, "UPDATE p SET n = 11 WHERE id = 1");
            awaitLockWait(running.thread());
            var _ = running.cancel(true);
            assertEquals(CancelledRun.CANCELLED, running.answer());
            assertEquals("30", TestDatabase.run(other, "SELECT n FROM p WHERE id = 3"));
            holder.commit();
            assertEquals("1 changed", TestDatabase.run(other, "UPDATE p SET n = 11 WHERE id = 1"));
            other.commit();
        }
        holder.autoCommit(true);
        assertEquals(
                List.of("1|11", "3|30", "4|40"), database.query("SELECT * FROM p ORDER BY id"));
    }

    /// A cancel of an idle session affects neither its next statement, nor another session of its thread.
    @Test
    void aCancelOfAnIdleSessionIsForgotten() throws InterruptedException {
        database.update("CREATE TABLE p (id INT PRIMARY KEY, n INT)");
        database.update("INSERT INTO p VALUES (1, 1)");
        try (Session idle = database.sql().session();
                Session waiting = database.sql().session()) {
            assertEquals("1 changed", TestDatabase.run(idle, "UPDATE p SET n = 2"));
            database.session().autoCommit(false);
            database.update("UPDATE p SET n = 3");
            AtomicReference<@Nullable String> answer = new AtomicReference<>();
            Thread thread =
                    Thread.ofPlatform()
                            .start(() -> {
                                String first = TestDatabase.run(idle, "SELECT n FROM p");
                                answer.set(
                                        first
                                                + TestDatabase.run(
                                                        waiting, "UPDATE p SET n = n + 5"));
                            });
            awaitLockWait(thread);
            idle.cancel();
            database.session().commit();
            assertTrue(thread.join(Duration.ofSeconds(60)));
            assertEquals("21 changed", answer.get());
            assertEquals("8", TestDatabase.run(idle, "SELECT n FROM p"));
            database.session().autoCommit(true);
        }
    }

    /// Two tables, recreated if they exist.
    private void createLarge() {
        database.update("DROP TABLE IF EXISTS child");
        database.update("DROP TABLE IF EXISTS large");
        database.update("CREATE TABLE large (id INT PRIMARY KEY, a INT, s VARCHAR)");
        database.update(
                "INSERT INTO large SELECT i, mod(i * 7919, 100003), 'text number ' || CAST(i AS"
                        + " VARCHAR) FROM generate_series(1, "
                        + LARGE_ROWS
                        + ") AS g(i)");
        database.update("CREATE TABLE child (id INT PRIMARY KEY, l INT REFERENCES large (id))");
        database.update("INSERT INTO child SELECT id, id FROM large WHERE id <= 400");
    }

    @Test
    void whatDefinesEndsAndChangesNothing() throws InterruptedException {
        createLarge();
        for (String statement :
                List.of(
                        "CREATE INDEX by_s ON large (s, a)",
                        "CREATE UNIQUE INDEX by_s ON large (s)",
                        "CREATE INDEX by_term ON large (LOWER(s)) WHERE a > 5",
                        "CREATE ARRAY INDEX by_a ON large (a)",
                        "CREATE SEARCH INDEX by_words ON large (s)",
                        "ALTER TABLE large ADD CHECK (LOWER(s) LIKE 'text%')",
                        "ALTER TABLE large ALTER COLUMN a SET DATA TYPE VARCHAR",
                        "ALTER TABLE large DROP COLUMN a",
                        "ALTER TABLE large ADD FOREIGN KEY (id) REFERENCES large (id)",
                        "CREATE TABLE other AS SELECT i FROM " + ENDLESS)) {
            cancelSoon(statement, this::createLarge);
        }
        // Without an index on the foreign key, each deleted row scans all of them.
        CancelledRun running =
                new CancelledRun(database.session(), "DELETE FROM large WHERE id > 400");
        assertTrue(!running.endsIn(RUNS_MILLIS));
        CancelledRun.Noticed noticed = running.cancel(true);
        long most = 10 * CancelledRun.NOTICED_MILLIS_MAX;
        assertTrue(noticed.millis() < most || noticed.processorMillis() < most, noticed::toString);
        assertEquals(CancelledRun.CANCELLED, running.answer());
        assertEquals(List.of("" + LARGE_ROWS), database.query("SELECT count(*) FROM large"));
    }

    /// Cancels `statement` in the middle of its work.
    ///
    /// @param anew restores the tables, if the statement ended before this thread could cancel it
    private void cancelSoon(String statement, Runnable anew) throws InterruptedException {
        List<CancelledRun.Noticed> noticed = new ArrayList<>();
        int early = 0;
        while (noticed.isEmpty() || !noticed.getLast().isSoonByProcessor()) {
            assertTrue(
                    noticed.size() < CancelledRun.ATTEMPTS,
                    () -> statement + " noticed after " + noticed);
            String before = definitions();
            CancelledRun running = new CancelledRun(database.session(), statement);
            boolean ended = running.endsIn(RUNS_MILLIS);
            CancelledRun.Noticed after = running.cancel(true);
            if (ended || !CancelledRun.CANCELLED.equals(running.answer())) {
                assertTrue(++early < EARLY_MAX, () -> statement + " ended: " + running.answer());
                anew.run();
            } else {
                noticed.add(after);
                assertEquals(before, definitions(), statement);
            }
        }
    }

    private String definitions() {
        Catalog catalog = database.sql().catalog();
        return catalog.tables().toString();
    }

    /// Rows in a file, and a table for them, recreated if they exist.
    private void createExternal(Path file) {
        try (BufferedWriter lines = Files.newBufferedWriter(file)) {
            for (int i = 0; i < 2 * LARGE_ROWS; i++) {
                lines.write(i + ",text number " + i + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        database.update("DROP TABLE IF EXISTS t");
        database.update("DROP TABLE IF EXISTS e");
        database.update("CREATE TABLE t (i INT PRIMARY KEY, s VARCHAR)");
        database.update(
                "CREATE EXTERNAL TABLE e (i INT, s VARCHAR(40)) ORGANIZATION (LOADTYPE='delimited'"
                        + " FILENAME='"
                        + file
                        + "')");
    }

    @Test
    void whatReadsAndWritesFilesEnds() throws InterruptedException {
        Path file = folder.resolve("many.csv");
        createExternal(file);
        for (String statement :
                List.of(
                        "COPY t FROM '" + file + "' CSV",
                        "COPY (SELECT i FROM "
                                + ENDLESS
                                + ") TO '"
                                + folder.resolve("out.csv")
                                + "' CSV",
                        "SELECT count(*) FROM e a, e b WHERE a.i = b.i + 1",
                        "DELETE FROM e WHERE LOWER(s) LIKE '%9%'")) {
            cancelSoon(statement, () -> createExternal(file));
        }
        assertEquals(List.of("0"), database.query("SELECT count(*) FROM t"));
        assertEquals(List.of("" + 2 * LARGE_ROWS), database.query("SELECT count(*) FROM e"));
    }

    /// Every kind of plan, of join and of change is in one of the cancelled statements.
    @Test
    void everyOperatorIsAsked() {
        CancelTest.DEFINITIONS.forEach(database::update);
        Set<String> asked = new TreeSet<>();
        for (String statement : CancelTest.STATEMENTS) {
            Command command =
                    database.sql().plans().get(statement, null, database.sql().catalog()).command();
            asked.add(command.getClass().getSimpleName());
            Plan plan =
                    switch (command) {
                        case Command.Query query -> query.plan();
                        case Command.LockingQuery query -> query.plan();
                        case Command.InsertQuery insert -> insert.source();
                        case Command.Joined joined -> joined.source();
                        case Command.Instead instead -> instead.rows();
                        case Command.Update update -> update.scan();
                        case Command.Delete delete -> delete.scan();
                        case Command.InsertRows rows -> new Plan.OneRow();
                        case Command.Chain chain when chain.last() instanceof Command.Query query ->
                                query.plan();
                        default -> throw new IllegalStateException(statement);
                    };
            PlanParts.any(
                    plan,
                    part -> {
                        asked.add(part.getClass().getSimpleName());
                        if (part instanceof Plan.Joined joined) {
                            addJoins(joined.join(), asked);
                        }
                        return false;
                    });
        }
        asked.add("FileScan"); // whatReadsAndWritesFilesEnds
        Set<String> all = new TreeSet<>();
        for (Class<?> sealed : List.of(Plan.class, Join.class)) {
            for (Class<?> kind : sealed.getPermittedSubclasses()) {
                all.add(kind.getSimpleName());
            }
        }
        for (Class<?> change : Command.RowChange.class.getPermittedSubclasses()) {
            all.add(change.getSimpleName());
        }
        all.removeAll(Set.of("CopyFrom", "ExternalChange")); // the same
        all.removeAll(asked);
        assertEquals(Set.of(), all, "never cancelled");
    }

    private static void addJoins(Join join, Set<String> into) {
        into.add(join.getClass().getSimpleName());
        switch (join) {
            case Join.Source source -> {}
            case Join.Filtered filtered -> addJoins(filtered.input(), into);
            case Join.Loop loop -> {
                addJoins(loop.outer(), into);
                addJoins(loop.inner(), into);
            }
            case Join.Hash hash -> {
                addJoins(hash.probe(), into);
                addJoins(hash.build(), into);
            }
        }
    }
}
