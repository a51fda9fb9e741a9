package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.Prepared.ValueTypes;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.value.Typing;
import dev.oriel.store.ClosedException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which parameters take the types of their values, and how often a statement is planned for them.
final class GivenTypesTest {
    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    private Prepared prepare(String text) {
        return database.session().prepare(text);
    }

    private long compiled() {
        return database.sql().plans().counts().compiled();
    }

    private static List<@Nullable Type> types(@Nullable Type... types) {
        return Arrays.asList(types);
    }

    /// The parameters of `text` that take bytes and integers (`a`), bytes alone (`b`), numbers alone (`n`), or nothing
    /// (`-`).
    private String open(String text) {
        StringBuilder open = new StringBuilder();
        try (Prepared prepared = prepare(text)) {
            for (int i = 0; i < prepared.parameters().size(); i++) {
                boolean bytes = prepared.takes(i, Typing.BYTES);
                boolean integers = prepared.takes(i, Typing.INTEGER);
                open.append(bytes ? (integers ? 'a' : 'b') : integers ? 'n' : '-');
            }
        }
        return open.toString();
    }

    @Test
    void contextDecidesOrLeavesTheTypeOpen() {
        database.answer("CREATE TABLE t (id INTEGER, s VARCHAR(9), d DATE, j JSON, a INTEGER[])");
        assertEquals("n", open("SELECT s FROM t WHERE id = ?"));
        assertEquals("nn-", open("SELECT s FROM t WHERE id IN (?, ?) AND s LIKE ?"));
        assertEquals("n-", open("SELECT s FROM t WHERE COALESCE(?, id) = 1 LIMIT ?"));
        assertEquals("--", open("INSERT INTO t (id, s) VALUES (?, GREATEST('a', ?))"));
        assertEquals("--", open("INSERT INTO t (id, s) SELECT ?, ?"));
        assertEquals("--", open("UPDATE t SET s = ?, id = id + ?"));
        assertEquals("--", open("SELECT CAST(? AS DATE), UPPER(?)"));
        assertEquals("---", open("SELECT s || ?, '%' || ?, ? || '%' FROM t"));
        assertEquals("a", open("SELECT ? UNION SELECT id FROM t"));
        assertEquals("-", open("SELECT j || ? FROM t"));
        assertEquals("-", open("SELECT s FROM t WHERE id = ANY(?)"));
        assertEquals("-b", open("SELECT LEFT(?, 1), LENGTH(?)"));
        assertEquals("aa", open("SELECT ?, GREATEST('a', ?)"));
        assertEquals("aaa", open("SELECT a || ?, d - ?, j -> ? FROM t"));
        assertEquals("aaa", open("SELECT ABS(?) + ? * ?"));
        assertEquals("aaa", open("SELECT GREATEST(?, ?) < ?"));
        assertEquals("aa", open("SELECT s FROM t JOIN (VALUES (?), (?)) v (x) ON v.x = t.id"));
        assertEquals("a", open("INSERT INTO t (id) SELECT x FROM (SELECT ? AS x) q"));
        assertEquals("a", open("SELECT PG_TYPEOF(?)"));
        assertEquals("a", open("SELECT ? IS NULL"));
    }

    @Test
    void openToBytesIsClosedToOtherValuesHeldAsBytes() {
        try (Prepared prepared = prepare("SELECT LENGTH(?)")) {
            assertTrue(prepared.takes(0, Typing.BYTES));
            assertFalse(prepared.takes(0, Type.of(Type.Name.UUID)));
            assertFalse(prepared.takes(0, Typing.JSON));
            assertFalse(prepared.takes(0, Type.array(Typing.BYTES)));
        }
    }

    @Test
    void emptyArrayHasNoOpenType() {
        assertThrows(SqlException.class, () -> prepare("SELECT ARRAY_APPEND(ARRAY[], 5)"));
        assertEquals("-", open("SELECT ? = ANY (ARRAY[])"));
    }

    @Test
    void defaultsNeedNoOtherPlan() {
        try (Prepared prepared = prepare("SELECT GREATEST(?, ?), ? + 1, ? + ?")) {
            long before = compiled();
            assertSame(
                    prepared.give(types(null, null, null, null, null)).held(),
                    prepared.parameters());
            prepared.give(types(Typing.TEXT, null, null, Typing.BIGINT, Typing.BIGINT));
            assertEquals(before, compiled());
            assertEquals(Typing.TEXT, prepared.parameters().getFirst());
        }
    }

    @Test
    void planOfTheSameTypesIsFoundAgain() {
        try (Prepared prepared = prepare("SELECT ? < ?");
                Prepared other = prepare("SELECT ? < ?")) {
            long before = compiled();
            for (int i = 0; i < 10; i++) {
                prepared.give(types(Typing.INTEGER, Typing.INTEGER));
                assertEquals(List.of(Typing.INTEGER, Typing.INTEGER), prepared.parameters());
                prepared.give(types(Typing.INTEGER, null));
                assertEquals(List.of(Typing.INTEGER, Typing.INTEGER), prepared.parameters());
                prepared.give(types(null, null));
                other.give(types(Typing.INTEGER, Typing.INTEGER));
            }
            assertEquals(2, compiled() - before);
        }
    }

    @Test
    void typesThatFailLeaveTheOldPlan() {
        try (Prepared prepared = prepare("SELECT ? < ?")) {
            ValueTypes good = prepared.give(types(Typing.INTEGER, Typing.INTEGER));
            List<@Nullable Type> bad = types(Typing.INTEGER, Typing.BOOLEAN);
            assertThrows(SqlException.class, () -> prepared.give(bad));
            assertThrows(SqlException.class, () -> prepared.give(bad));
            assertEquals(good.held(), prepared.parameters());
            prepared.values().setLong(0, 9);
            prepared.values().setLong(1, 10);
            try (Prepared.Result rows = prepared.query()) {
                assertTrue(rows.next());
                assertEquals(1, rows.longAt(0));
            }
        }
    }

    @Test
    void rowsOfABatchThatAreOfNoOtherTypeKeepTheirPlan() {
        database.answer("CREATE TABLE t (id INTEGER, s VARCHAR(99))");
        try (Prepared prepared = prepare("INSERT INTO t SELECT 1, TO_JSONB(?)::TEXT")) {
            ValueTypes texts = prepared.give(types((Type) null));
            ValueTypes numbers = prepared.give(types(Typing.INTEGER));
            Tuple text = new Tuple(1);
            text.setText(0, "x");
            Tuple number = new Tuple(1);
            number.setLong(0, 5);
            long before = compiled();
            assertArrayEquals(
                    new long[] {1, 1, 1},
                    prepared.batch(List.of(text, number, text), List.of(texts, numbers, texts)));
            assertEquals(before, compiled());
        }
        assertTrue(database.answer("SELECT s FROM t WHERE s = '5'").contains("5"));
    }

    @Test
    void closedStatementTakesNoTypes() {
        Prepared prepared = prepare("SELECT ?");
        prepared.close();
        assertThrows(ClosedException.class, () -> prepared.give(types(Typing.INTEGER)));
    }
}
