package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Changes in WITH of prepared statements.
class WithChangesTest {
    private final TestDatabase database = new TestDatabase();

    WithChangesTest() {
        database.update("CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT)");
        database.update("CREATE TABLE b (id INTEGER PRIMARY KEY, n BIGINT)");
    }

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @Test
    void eachRunOfABatchSeesTheRowsOfTheRunsBefore() {
        String text =
                "WITH i AS (INSERT INTO a VALUES (?, ?) RETURNING id)"
                        + " INSERT INTO b SELECT id, (SELECT COUNT(*) FROM a) FROM i";
        List<Tuple> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Tuple row = new Tuple(2);
            row.setLong(0, i);
            row.setText(1, "v" + i);
            rows.add(row);
        }
        try (Prepared prepared = database.session().prepare(text)) {
            assertArrayEquals(new long[] {1, 1, 1}, prepared.batch(rows));
        }
        assertEquals(List.of("0|0", "1|1", "2|2"), database.query("SELECT * FROM b ORDER BY id"));
    }

    @Test
    void eachRunOfAPreparedQueryReadsTheTablesAnew() {
        String text =
                "WITH i AS (INSERT INTO a VALUES (?, 'x') RETURNING id)"
                        + " SELECT id, (SELECT COUNT(*) FROM a) FROM i";
        try (Prepared prepared = database.session().prepare(text)) {
            for (int i = 0; i < 3; i++) {
                TestDatabase.fill(prepared, i);
                assertEquals(List.of(i + "|" + i), TestDatabase.rows(prepared));
            }
        }
    }

    @Test
    void aReadOnlySessionRunsNone() {
        database.session().readOnly(true);
        String text = "WITH i AS (INSERT INTO a VALUES (1, 'x') RETURNING id) SELECT id FROM i";
        SqlException failure = assertThrows(SqlException.class, () -> database.query(text));
        assertEquals(SqlException.Kind.READ_ONLY, failure.kind());
        database.session().readOnly(false);
        assertEquals(List.of(), database.query("SELECT * FROM a"));
    }

    @Test
    void generatedKeysAreThoseOfTheStatementItself() {
        database.update("CREATE TABLE s (id SERIAL PRIMARY KEY, v TEXT)");
        try (Prepared prepared =
                database.session()
                        .prepare(
                                "WITH i AS (INSERT INTO a VALUES (7, 'x') RETURNING v)"
                                        + " INSERT INTO s (v) SELECT v FROM i",
                                List.of())) {
            assertEquals(1, prepared.update());
            assertEquals(1, prepared.keyColumns().size());
            try (Prepared.Result keys = prepared.generatedKeys()) {
                assertTrue(keys.next());
                assertEquals(1, keys.longAt(0));
            }
        }
    }
}
