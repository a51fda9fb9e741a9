package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Queries that run for each row of another, over tables without a key for their conditions. The answers equal the
/// answers over tables with one, and each table is read twice at most.
class KeptLookUpTest {
    private static final List<String> QUERIES =
            List.of(
                    "SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a = a.k AND b.v > a.v)",
                    "SELECT COUNT(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.k AND b.v > a.v)",
                    "SELECT id, (SELECT COUNT(*) FROM b WHERE b.a = a.k) FROM a ORDER BY id",
                    "SELECT id, (SELECT SUM(v) FROM b WHERE b.a = a.k AND b.v < 50) FROM a ORDER BY id",
                    "SELECT id, (SELECT v FROM b WHERE b.a = a.k ORDER BY v DESC, id LIMIT 1) FROM a ORDER BY id",
                    "SELECT id FROM a WHERE v IN (SELECT v FROM b WHERE b.a = a.k) ORDER BY id",
                    "SELECT id FROM a WHERE v > ALL (SELECT v FROM b WHERE b.a = a.k AND b.s = a.s) ORDER BY id",
                    "SELECT a.id, q.m FROM a, LATERAL (SELECT MAX(v) AS m FROM b WHERE b.s = a.s) q ORDER BY a.id",
                    "SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.a = a.k AND EXISTS (SELECT 1"
                            + " FROM b c WHERE c.a = b.v AND c.v > a.v))",
                    "SELECT COUNT(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.k AND NOT EXISTS"
                            + " (SELECT 1 FROM b c WHERE c.a = a.v AND c.v <= b.v))",
                    "SELECT id, (SELECT COUNT(*) FROM b JOIN b c ON c.v = b.v WHERE b.a = a.k AND c.s = a.s)"
                            + " FROM a ORDER BY id",
                    "SELECT id, (SELECT COUNT(c.id) FROM b LEFT JOIN b c ON c.v = b.a WHERE b.a = a.k) FROM a"
                            + " ORDER BY id",
                    "SELECT id, (SELECT COUNT(*) FROM b WHERE b.a + 1 = a.k + 1 AND b.v <> a.v) FROM a ORDER BY id",
                    "SELECT COUNT(*) FROM a WHERE v > 90 OR EXISTS (SELECT 1 FROM (SELECT a + 1 AS n, v FROM b) q"
                            + " WHERE q.n = a.k AND q.v <> a.v)",
                    "WITH q AS (SELECT a, MAX(v) AS m FROM b GROUP BY a) SELECT id, (SELECT m FROM q WHERE q.a = a.k),"
                            + " (SELECT COUNT(*) FROM q WHERE q.m = a.v) FROM a ORDER BY id",
                    "SELECT id, (SELECT COUNT(*) FROM GENERATE_SERIES(0, 50) x WHERE x % 10 = a.k) FROM a ORDER BY id",
                    "SELECT id, ARRAY(SELECT v FROM (SELECT a, v FROM b ORDER BY v DESC, id LIMIT 40) q"
                            + " WHERE q.a = a.k) FROM a ORDER BY id",
                    "SELECT COUNT(*) FROM a, LATERAL (SELECT x FROM UNNEST(ARRAY[a.k, a.v]) x WHERE x = a.v) q");

    private final SplittableRandom random = Seed.of("kept look-up", 19);

    private void fill(TestDatabase database, boolean indexed) {
        database.update("CREATE TABLE a (id INT PRIMARY KEY, k INT, v INT, s TEXT)");
        database.update("CREATE TABLE b (id INT PRIMARY KEY, a INT, v INT, s TEXT)");
        if (indexed) {
            database.update("CREATE INDEX b_a ON b (a)");
            database.update("CREATE INDEX b_s ON b (s)");
            database.update("CREATE INDEX b_v ON b (v)");
        }
    }

    private String row(int id, int keys) {
        return "(%d, %s, %d, %s)"
                .formatted(
                        id,
                        random.nextInt(9) == 0 ? "NULL" : random.nextInt(keys),
                        random.nextInt(100),
                        random.nextInt(9) == 0 ? "NULL" : "'s" + random.nextInt(5) + "'");
    }

    @Test
    void answersAreThoseOfAnIndex() {
        try (TestDatabase plain = new TestDatabase();
                TestDatabase indexed = new TestDatabase()) {
            compare(plain, indexed, 60);
        }
    }

    @Test
    void soTheyAreWithoutMemory() {
        try (TestDatabase plain = TestDatabase.on(new SimDirectory(), 2_000);
                TestDatabase indexed = new TestDatabase()) {
            compare(plain, indexed, 60);
        }
    }

    private void compare(TestDatabase plain, TestDatabase indexed, int rows) {
        fill(plain, false);
        fill(indexed, true);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < rows; i++) {
                int id = round * rows + i;
                String ofA = "INSERT INTO a VALUES " + row(id, 20);
                String ofB = "INSERT INTO b VALUES " + row(id, 20);
                for (TestDatabase each : List.of(plain, indexed)) {
                    each.update(ofA);
                    each.update(ofB);
                }
            }
            for (String query : QUERIES) {
                assertEquals(indexed.query(query), plain.query(query), query);
            }
        }
    }

    @Test
    void aStatementThatRunsAgainReadsTheTableAgain() {
        try (TestDatabase database = new TestDatabase()) {
            fill(database, false);
            database.update("INSERT INTO a VALUES (1, 1, 0, ''), (2, 2, 0, ''), (3, 1, 0, '')");
            database.update("INSERT INTO b VALUES (1, 1, 5, '')");
            String query =
                    "SELECT id, (SELECT COUNT(*) FROM b WHERE b.a = a.k AND b.v > ?) FROM a ORDER BY id";
            try (Prepared prepared = database.session().prepare(query)) {
                TestDatabase.fill(prepared, 4);
                assertEquals(List.of("1|1", "2|0", "3|1"), TestDatabase.rows(prepared));
                database.update("INSERT INTO b VALUES (2, 2, 5, ''), (3, 1, 3, '')");
                assertEquals(List.of("1|1", "2|1", "3|1"), TestDatabase.rows(prepared));
                TestDatabase.fill(prepared, 2);
                assertEquals(List.of("1|2", "2|1", "3|2"), TestDatabase.rows(prepared));
            }
        }
    }

    @Test
    void theTableIsReadTwice() {
        try (TestDatabase database = new TestDatabase()) {
            fill(database, false);
            database.update("INSERT INTO a SELECT g, g, 0, '' FROM GENERATE_SERIES(1, 500) g");
            database.update("INSERT INTO b SELECT g, g, 0, '' FROM GENERATE_SERIES(1, 500) g");
            String plan =
                    String.join(
                            "\n",
                            database.query(
                                    "EXPLAIN ANALYZE SELECT COUNT(*) FROM a WHERE (SELECT COUNT(*) FROM b"
                                            + " WHERE b.a = a.k) = 1"));
            assertTrue(plan.matches("(?s).*TableScan b +\\(rows 1000[^\n]* loops 2[, ].*"), plan);
        }
    }
}
