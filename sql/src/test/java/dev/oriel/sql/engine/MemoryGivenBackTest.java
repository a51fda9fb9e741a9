package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Operators release all memory that they have counted: when they are opened again, and after a failed run.
class MemoryGivenBackTest {
    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private static long heldAtTheFirstRow(Prepared prepared) {
        try (Prepared.Result result = prepared.query()) {
            assertTrue(result.next());
            return ((PlannedStatement) prepared).memoryHeld();
        }
    }

    @Test
    void whatAFailedRunHasKeptIsNotTakenFromTheNext() {
        for (String value :
                List.of(
                        "STRING_AGG(CAST(100 / (? - i) AS VARCHAR), '') OVER (ORDER BY i)",
                        "LAST_VALUE(100 / (? - i)) IGNORE NULLS OVER (ORDER BY i)",
                        "MAX(CAST(100 / (? - i) AS VARCHAR)) OVER (ORDER BY i)")) {
            String query = "SELECT " + value + " FROM GENERATE_SERIES(1, 100) AS s (i)";
            try (Prepared prepared = database.session().prepare(query)) {
                TestDatabase.fill(prepared, 1_000);
                long held = heldAtTheFirstRow(prepared);
                TestDatabase.fill(prepared, 50);
                assertThrows(SqlException.class, () -> heldAtTheFirstRow(prepared), query);
                TestDatabase.fill(prepared, 1_000);
                assertEquals(held, heldAtTheFirstRow(prepared), query);
            }
        }
    }

    @Test
    void whoIsOpenedAgainHoldsAsMuchAsBefore() {
        database.update("CREATE TABLE shelf (room INT, place INT, PRIMARY KEY (room, place))");
        database.update(
                "INSERT INTO shelf SELECT MOD(i, 5), i FROM GENERATE_SERIES(1, 40) AS s (i)");
        String text = "REPEAT('x', 100 + MOD(a.i, 1) + place)";
        for (String inner :
                List.of(
                        "SELECT MAX(" + text + ") FROM shelf",
                        "SELECT room, MAX(" + text + ") FROM shelf GROUP BY room LIMIT 2",
                        "SELECT MOD(place, 7), MIN("
                                + text
                                + "), ANY_VALUE("
                                + text
                                + ") FROM shelf GROUP BY MOD(place, 7) LIMIT 2",
                        "SELECT STRING_AGG("
                                + text
                                + ", '') OVER (ORDER BY place) FROM shelf"
                                + " LIMIT 2",
                        "SELECT LAST_VALUE(NULLIF(place, a.i)) IGNORE NULLS OVER (ORDER BY place)"
                                + " FROM shelf LIMIT 2")) {
            String query =
                    "SELECT a.i, v.* FROM GENERATE_SERIES(1, 20) AS a (i), LATERAL ("
                            + inner
                            + ") AS v";
            try (Prepared prepared = database.session().prepare(query);
                    Prepared.Result result = prepared.query()) {
                assertTrue(result.next());
                long held = ((PlannedStatement) prepared).memoryHeld();
                assertTrue(held > 0, query);
                long last = 1;
                while (result.next()) {
                    if (result.longAt(0) != last) {
                        last = result.longAt(0);
                        assertEquals(held, ((PlannedStatement) prepared).memoryHeld(), query);
                    }
                }
                assertEquals(20, last, query);
            }
        }
    }
}
