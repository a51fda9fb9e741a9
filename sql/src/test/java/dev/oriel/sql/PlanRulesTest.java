package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A query that matches a rule of the planner, and an equivalent one that does not, have the same answer.
class PlanRulesTest {
    private final Gen gen = new Gen(Seed.of("PlanRulesTest", 41));

    private String number(int below) {
        return gen.chance(15) ? "NULL" : Integer.toString(gen.below(below));
    }

    private void fill(TestDatabase database, String table, int rows) {
        for (int i = 0; i < rows; i++) {
            database.update(
                    "INSERT INTO %s VALUES (%d, %d, %s, %s, %d.%02d) ON CONFLICT DO NOTHING"
                            .formatted(
                                    table,
                                    gen.below(8),
                                    gen.below(12),
                                    number(5),
                                    gen.chance(10) ? "NULL" : "'t" + gen.below(4) + "'",
                                    gen.below(100),
                                    gen.below(100)));
        }
    }

    private static void create(TestDatabase database, String table) {
        database.update(
                "CREATE TABLE "
                        + table
                        + " (a INTEGER, b INTEGER, x INTEGER, t VARCHAR(10), d DECIMAL(8, 2),"
                        + " PRIMARY KEY (a, b))");
    }

    @Test
    void groupsInTheOrderOfAKeyAreThoseOfAHashTable() {
        String calls = ", COUNT(*), SUM(x), SUM(d), AVG(d), MIN(t), MAX(d) FROM p";
        for (int round = 0; round < 10; round++) {
            try (TestDatabase database = new TestDatabase()) {
                create(database, "p");
                fill(database, "p", round == 0 ? 0 : gen.below(60));
                for (String where : List.of("", " WHERE x > 1", " WHERE a > 3", " WHERE a = 9")) {
                    assertEquals(
                            database.query("SELECT a + 0" + calls + where + " GROUP BY a + 0"),
                            database.query("SELECT a" + calls + where + " GROUP BY a"));
                    assertEquals(
                            database.query(
                                    "SELECT b, a + 0" + calls + where + " GROUP BY b, a + 0"),
                            database.query("SELECT b, a" + calls + where + " GROUP BY b, a"));
                }
                assertEquals(
                        database.query(
                                "SELECT a + 0, SUM(d) FROM p GROUP BY a + 0 HAVING SUM(d) > 40"),
                        database.query("SELECT a, SUM(d) FROM p GROUP BY a HAVING SUM(d) > 40"));
                assertEquals(
                        database.query(
                                "SELECT a + 0, COUNT(DISTINCT x) FROM p GROUP BY a + 0 LIMIT 3"),
                        database.query("SELECT a, COUNT(DISTINCT x) FROM p GROUP BY a LIMIT 3"));
            }
        }
    }

    @Test
    void whatAChoiceSaysOfOneTableIsToldBeforeTheJoin() {
        int found = 0;
        for (int round = 0; round < 20; round++) {
            try (TestDatabase database = new TestDatabase()) {
                create(database, "p");
                create(database, "q");
                fill(database, "p", 30);
                fill(database, "q", 30);
                String choice =
                        "((p.x = %s AND q.t = 't%d') OR (p.x > %s AND q.d < %d AND q.t <> 't0') OR"
                                        .formatted(
                                                number(5), gen.below(4), number(5), gen.below(100))
                                + " (p.x BETWEEN 1 AND 2 AND p.t LIKE 't%%' AND q.x = %s))"
                                        .formatted(number(5));
                String select = "SELECT p.a, p.b, q.a, q.b FROM p JOIN q ON p.a = q.a WHERE ";
                String order = " ORDER BY 1, 2, 3, 4";
                List<String> rows = database.query(select + choice + order);
                assertEquals(
                        database.query(
                                select
                                        + "CASE WHEN "
                                        + choice
                                        + " THEN TRUE ELSE FALSE END"
                                        + order),
                        rows);
                found += rows.size();
            }
        }
        assertTrue(found > 100, "rows found: " + found);
    }

    @Test
    void theTraceSaysWhatIsImplied() {
        try (TestDatabase database = new TestDatabase()) {
            create(database, "p");
            create(database, "q");
            String plan =
                    String.join(
                            "\n",
                            database.query(
                                    "EXPLAIN SELECT COUNT(*) FROM p, q WHERE p.a = q.a AND ((p.x = 1"
                                            + " AND q.x = 2) OR (p.x = 3 AND q.x = 4))"));
            assertTrue(plan.contains("(p.x = 1) OR (p.x = 3)"), plan);
            assertTrue(plan.contains("(q.x = 2) OR (q.x = 4)"), plan);
        }
    }
}
