package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SessionTest {
    private final TestDatabase database = new TestDatabase();
    private final Session session = database.session();
    private final Session other = database.sql().session();

    @BeforeEach
    void createTable() {
        database.update("CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(10))");
        database.update("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')");
    }

    @AfterEach
    void closeAndCheck() {
        other.close();
        database.close();
    }

    private static void assertKind(Kind kind, Executable action) {
        assertEquals(kind, assertThrows(SqlException.class, action).kind());
    }

    private static List<String> names(Session session) {
        try (Prepared prepared = session.prepare("SELECT name FROM t ORDER BY id")) {
            return TestDatabase.rows(prepared);
        }
    }

    private static long update(Session session, String text) {
        try (Prepared prepared = session.prepare(text)) {
            return prepared.update();
        }
    }

    @Test
    void aStatementRunsWithOneSetOfParametersAfterTheOther() {
        String text = "SELECT name, id * ? FROM t WHERE id > ? ORDER BY id DESC LIMIT ? OFFSET ?";
        try (Prepared prepared = session.prepare(text)) {
            assertEquals(4, prepared.parameters().size());
            TestDatabase.fill(prepared, 10, 0, 2, 0);
            assertEquals(List.of("three|30", "two|20"), TestDatabase.rows(prepared));
            TestDatabase.fill(prepared, null, 1, null, 1);
            assertEquals(List.of("two|NULL"), TestDatabase.rows(prepared));
            TestDatabase.fill(prepared, 1, null, 5, 0);
            assertEquals(List.of(), TestDatabase.rows(prepared));
            TestDatabase.fill(prepared, Integer.MAX_VALUE, 0, 5, 0);
            assertKind(Kind.OUT_OF_RANGE, () -> TestDatabase.rows(prepared));
            TestDatabase.fill(prepared, 1, 0, -1, 0);
            assertKind(Kind.NEGATIVE_LIMIT, prepared::query);
            TestDatabase.fill(prepared, 1, 2, 1, 0);
            assertEquals(List.of("three|3"), TestDatabase.rows(prepared));
        }
    }

    @Test
    void aResultKeepsItsSnapshotWhileOthersWrite() {
        try (Prepared prepared = session.prepare("SELECT id FROM t");
                Prepared.Result result = prepared.query()) {
            assertTrue(result.next());
            update(other, "DELETE FROM t");
            update(session, "INSERT INTO t VALUES (9, 'nine')");
            assertTrue(result.next());
            assertEquals(2, result.longAt(0));
            assertTrue(result.next());
            assertFalse(result.next());
            assertFalse(result.next());
        }
        assertEquals(List.of("nine"), names(session));
    }

    @Test
    void untilItsFirstWriteATransactionReadsWhatWasCommittedLast() {
        session.autoCommit(false);
        assertEquals(3, names(session).size());
        update(other, "DELETE FROM t WHERE id = 1");
        assertEquals(2, names(session).size());
        update(session, "DELETE FROM t WHERE id = 2");
        assertEquals(List.of("three"), names(session));
        assertEquals(List.of("two", "three"), names(other));
        session.rollback();
        assertEquals(List.of("two", "three"), names(session));
    }

    @Test
    void aWriterOfARowWaitsForTheOneBeforeItButNotForEver() {
        try (TestDatabase impatient = new TestDatabase(50);
                Session first = impatient.sql().session();
                Session second = impatient.sql().session()) {
            update(first, "CREATE TABLE t (id INT PRIMARY KEY, n INT)");
            update(first, "INSERT INTO t VALUES (1, 0)");
            first.autoCommit(false);
            update(first, "UPDATE t SET n = 1");
            assertEquals(1, update(second, "INSERT INTO t VALUES (2, 0)"));
            ConflictException refusal =
                    assertThrows(
                            ConflictException.class,
                            () -> update(second, "UPDATE t SET n = 2 WHERE id = 1"));
            assertEquals(ConflictException.Reason.LOCKED, refusal.reason());
            first.commit();
            assertEquals(1, update(second, "UPDATE t SET n = n + 2 WHERE id = 1"));
            assertEquals(List.of("1|3", "2|0"), impatient.query("SELECT id, n FROM t"));
        }
    }

    @Test
    void aJoinIsInsertedWhole() {
        for (boolean transaction : new boolean[] {false, true}) {
            session.autoCommit(!transaction);
            update(session, "CREATE TABLE n (x INT PRIMARY KEY)");
            update(session, "CREATE TABLE pair (a INT, b INT)");
            update(session, "INSERT INTO n VALUES (1), (2), (3)");
            assertEquals(
                    9, update(session, "INSERT INTO pair SELECT a.x, b.x FROM n a CROSS JOIN n b"));
            update(session, "DROP TABLE pair");
            update(session, "DROP TABLE n");
            session.rollback();
        }
    }

    @Test
    void turningAutoCommitOnCommits() {
        session.autoCommit(false);
        update(session, "DELETE FROM t");
        session.autoCommit(true);
        assertEquals(List.of(), names(other));
    }

    @Test
    void theEndOfATransactionClosesItsResultsLoudly() {
        session.autoCommit(false);
        try (Prepared prepared = session.prepare("SELECT id FROM t")) {
            Prepared.Result result = prepared.query();
            assertTrue(result.next());
            session.commit();
            assertThrows(ClosedException.class, result::next);
            result.close();
            assertEquals(3, TestDatabase.rows(prepared).size());
        }
    }

    @Test
    void aResultInAWritingTransactionDoesNotSeeWritesAfterIt() {
        session.autoCommit(false);
        update(session, "INSERT INTO t VALUES (4, 'four')");
        try (Prepared prepared = session.prepare("SELECT id FROM t");
                Prepared.Result result = prepared.query()) {
            assertTrue(result.next());
            update(session, "DELETE FROM t WHERE id IN (1, 2)");
            update(session, "INSERT INTO t VALUES (5, 'five')");
            assertEquals(1, result.longAt(0));
            for (int id = 2; id <= 4; id++) {
                assertTrue(result.next());
                assertEquals(id, result.longAt(0));
            }
            assertFalse(result.next());
        }
        assertEquals(List.of("three", "four", "five"), names(session));
        session.rollback();
    }

    @Test
    void runningAStatementAgainClosesItsLastResult() {
        try (Prepared prepared = session.prepare("SELECT id FROM t WHERE id >= ?")) {
            prepared.values().setLong(0, 2);
            Prepared.Result first = prepared.query();
            assertTrue(first.next());
            prepared.values().setLong(0, 3);
            Prepared.Result second = prepared.query();
            assertThrows(ClosedException.class, first::next);
            first.close();
            assertTrue(second.next());
            assertEquals(3, second.longAt(0));
            second.close();
        }
    }

    @Test
    void aBatchHappensAsAWholeOrNotAtAll() {
        try (Prepared prepared = session.prepare("INSERT INTO t VALUES (?, ?)")) {
            List<Tuple> rows = new ArrayList<>();
            for (int id : new int[] {10, 11, 1}) {
                Tuple row = new Tuple(2);
                row.setLong(0, id);
                row.setText(1, "n" + id);
                rows.add(row);
            }
            assertThrows(ConstraintException.class, () -> prepared.batch(rows));
            assertEquals(3, names(session).size());
            assertArrayEquals(new long[] {1, 1}, prepared.batch(rows.subList(0, 2)));
            assertArrayEquals(new long[0], prepared.batch(List.of()));
            assertEquals(5, names(other).size());
            session.autoCommit(false);
            update(session, "DELETE FROM t WHERE id = 10");
            assertThrows(ConstraintException.class, () -> prepared.batch(rows));
            session.commit();
            assertEquals(List.of("one", "two", "three", "n11"), names(other));
            assertKind(Kind.PARAMETER_COUNT, () -> prepared.batch(List.of(new Tuple(1))));
        }
        try (Prepared prepared = session.prepare("DELETE FROM t WHERE id >= ?")) {
            Tuple two = new Tuple(1);
            two.setLong(0, 2);
            Tuple one = new Tuple(1);
            one.setLong(0, 1);
            assertArrayEquals(new long[] {3, 1}, prepared.batch(List.of(two, one)));
        }
    }

    @Test
    void aRowThatFailsHalfWayLeavesNothingOfItself() {
        update(session, "CREATE TABLE long (id INT PRIMARY KEY, text VARCHAR)");
        update(session, "CREATE INDEX long_text ON long (text)");
        String tooLongForAKey = "x".repeat(100_000);
        session.autoCommit(false);
        database.update("INSERT INTO long VALUES (1, ?)", "short");
        assertThrows(
                DatabaseException.class,
                () -> database.update("INSERT INTO long VALUES (2, ?)", tooLongForAKey));
        assertThrows(
                DatabaseException.class,
                () -> database.update("UPDATE long SET text = ?", tooLongForAKey));
        session.commit();
        assertEquals(List.of("1|short"), database.query("SELECT * FROM long"));
        assertEquals(
                List.of("1|short"), database.query("SELECT * FROM long ORDER BY text LIMIT 5"));
    }

    @Test
    void aCancelledStatementFailsAndTheNextOneRuns() {
        try (Prepared prepared = session.prepare("SELECT id FROM t");
                Prepared.Result result = prepared.query()) {
            assertTrue(result.next());
            session.cancel();
            assertKind(Kind.CANCELLED, result::next);
            assertThrows(ClosedException.class, result::next);
        }
        assertEquals(3, names(session).size());
    }

    @Test
    void aCancelledChangeChangesNothing() {
        session.autoCommit(false);
        update(session, "INSERT INTO t VALUES (4, 'four')");
        try (Prepared prepared = session.prepare("UPDATE t SET id = id + ?")) {
            List<Long> reads = new ArrayList<>();
            Row parameters = new CancelsWhenRead(session, 100, reads);
            assertKind(Kind.CANCELLED, () -> prepared.batch(List.of(parameters)));
            assertEquals(List.of(100L), reads);
        }
        session.commit();
        assertEquals(List.of("1", "2", "3", "4"), database.query("SELECT id FROM t"));
    }

    /// A parameter that cancels the session when the first changed row reads it.
    private record CancelsWhenRead(Session session, long value, List<Long> reads) implements Row {
        @Override
        public boolean isNull(int column) {
            return false;
        }

        @Override
        public long longAt(int column) {
            session.cancel();
            reads.add(value);
            return value;
        }

        @Override
        public double doubleAt(int column) {
            throw new AssertionError();
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            throw new AssertionError();
        }

        @Override
        public @Nullable String textAt(int column) {
            throw new AssertionError();
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            throw new AssertionError();
        }
    }

    @Test
    void aStatementPlansItselfAnewWhenDefinitionsChange() {
        try (Prepared prepared = session.prepare("SELECT id FROM t WHERE name = ?")) {
            prepared.values().setText(0, "two");
            assertEquals(List.of("2"), TestDatabase.rows(prepared));
            assertTrue(prepared.explain().contains("TableScan"), prepared.explain());
            update(other, "CREATE INDEX by_name ON t (name)");
            assertEquals(List.of("2"), TestDatabase.rows(prepared));
            assertTrue(prepared.explain().contains("IndexScan"), prepared.explain());
            update(other, "DROP TABLE t");
            assertKind(Kind.UNKNOWN_TABLE, prepared::query);
            update(other, "CREATE TABLE t (name VARCHAR, id VARCHAR)");
            update(other, "INSERT INTO t VALUES ('two', 'deux')");
            assertEquals(List.of("deux"), TestDatabase.rows(prepared));
            update(other, "DROP TABLE t");
            update(other, "CREATE TABLE t (name INT, id INT)");
            assertKind(Kind.TYPE_MISMATCH, prepared::query);
        }
    }

    @Test
    void plansForDefinitionsThatWereRolledBackAreNotUsed() {
        session.autoCommit(false);
        update(session, "DROP TABLE t");
        update(session, "CREATE TABLE t (name INT, id INT)");
        assertEquals(List.of(), names(session));
        session.rollback();
        assertEquals(List.of("one", "two", "three"), names(session));
        assertEquals(List.of("one", "two", "three"), names(other));
    }

    @Test
    void aReadOnlySessionRefusesToWrite() {
        session.readOnly(true);
        assertKind(Kind.READ_ONLY, () -> update(session, "DELETE FROM t"));
        assertKind(Kind.READ_ONLY, () -> update(session, "CREATE TABLE u (a INT)"));
        assertEquals(3, names(session).size());
        session.readOnly(false);
        assertEquals(3, update(session, "DELETE FROM t"));
    }

    @Test
    void aStatementIsRunAsWhatItIs() {
        try (Prepared query = session.prepare("SELECT 1");
                Prepared change = session.prepare("DELETE FROM t")) {
            assertTrue(query.isQuery());
            assertFalse(change.isQuery());
            assertKind(Kind.WRONG_STATEMENT_KIND, query::update);
            assertKind(Kind.WRONG_STATEMENT_KIND, change::query);
            assertKind(Kind.WRONG_STATEMENT_KIND, () -> query.batch(List.of(new Tuple(0))));
        }
    }

    @Test
    void whatIsClosedCannotBeUsed() {
        Prepared prepared = other.prepare("SELECT 1");
        Prepared.Result result = prepared.query();
        other.close();
        other.close();
        assertThrows(ClosedException.class, result::next);
        assertThrows(ClosedException.class, prepared::query);
        assertThrows(ClosedException.class, () -> other.prepare("SELECT 1"));
        prepared.close();
    }

    @Test
    void aSessionThatEndsRollsBack() {
        other.autoCommit(false);
        update(other, "DELETE FROM t");
        other.close();
        assertEquals(3, names(session).size());
    }

    @Test
    void savepointsOfTheInterfaceAndOfSqlAreTheSame() {
        session.autoCommit(false);
        session.savepoint("a");
        update(session, "DELETE FROM t WHERE id = 1");
        update(session, "SAVEPOINT b");
        update(session, "DELETE FROM t WHERE id = 2");
        session.rollbackTo("B");
        assertEquals(List.of("two", "three"), names(session));
        update(session, "ROLLBACK TO a");
        assertEquals(3, names(session).size());
        assertKind(Kind.UNKNOWN_SAVEPOINT, () -> session.releaseSavepoint("b"));
        session.releaseSavepoint("a");
        session.commit();
    }

    @Test
    void threadsShareThePlansOfTheirSessionsAndNothingElse() throws InterruptedException {
        update(session, "CREATE TABLE counters (id INT PRIMARY KEY, hits BIGINT)");
        update(session, "INSERT INTO counters VALUES (0, 0), (1, 0), (2, 0), (3, 0)");
        int rounds = 200;
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int id = i;
            Thread thread = new Thread(() -> count(id, rounds));
            thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
        assertEquals(
                List.of("0|200", "1|200", "2|200", "3|200"),
                database.query("SELECT * FROM counters"));
    }

    /// Raises one counter again and again, and each time reads it back.
    private void count(int id, int rounds) {
        try (Session mine = database.sql().session();
                Prepared raise = mine.prepare("UPDATE counters SET hits = hits + 1 WHERE id = ?");
                Prepared read = mine.prepare("SELECT hits FROM counters WHERE id = ?")) {
            for (int round = 1; round <= rounds; round++) {
                raise.values().setLong(0, id);
                assertEquals(1, raise.update());
                read.values().setLong(0, id);
                assertEquals(List.of(String.valueOf(round)), TestDatabase.rows(read));
            }
        }
    }

    @Test
    void theCatalogOfSqlIsTheNewestCommittedOne() {
        long version = database.sql().catalog().version();
        session.autoCommit(false);
        update(session, "CREATE TABLE u (a INT)");
        assertEquals(version, database.sql().catalog().version());
        session.commit();
        assertTrue(database.sql().catalog().version() > version);
        assertTrue(database.sql().catalog().table("U") != null);
    }

    @Test
    void aSubqueryIsEvaluatedAnewInEveryRun() {
        String text =
                "SELECT (SELECT COUNT(*) FROM t), id FROM t WHERE id IN (SELECT id FROM t) AND id > ?";
        try (Prepared prepared = session.prepare(text)) {
            prepared.values().setLong(0, 2);
            assertEquals(List.of("3|3"), TestDatabase.rows(prepared));
            update(other, "INSERT INTO t VALUES (4, 'four')");
            assertEquals(List.of("4|3", "4|4"), TestDatabase.rows(prepared));
            update(session, "CREATE TABLE u (id INT)");
            assertEquals(List.of("4|3", "4|4"), TestDatabase.rows(prepared));
        }
    }

    @Test
    void eachRunOfABatchSeesTheOnesBefore() {
        String text =
                "UPDATE t SET name = CAST((SELECT COUNT(*) FROM t x WHERE x.name = ?) AS VARCHAR(3))";
        Tuple one = new Tuple(1);
        one.setText(0, "one");
        try (Prepared prepared = session.prepare(text)) {
            assertArrayEquals(new long[] {3, 3}, prepared.batch(List.of(one, one)));
        }
        assertEquals(List.of("0", "0", "0"), names(session));
    }

    @Test
    void aRecursionThatNeverEndsIsEndedByACancel() {
        String text =
                "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i FROM n) SELECT i FROM n";
        try (Prepared prepared = session.prepare(text);
                Prepared.Result result = prepared.query()) {
            for (int i = 0; i < 1_000; i++) {
                assertTrue(result.next());
            }
            session.cancel();
            assertKind(Kind.CANCELLED, result::next);
        }
    }
}
