package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Expression and partial indexes, through random changes. They find the same rows as a table without indexes; the
/// check at the end compares their entries. Half way the database is closed and opened.
class IndexTermsTest {
    private static final int CHANGES = 1_500;

    private static final List<String> CONDITIONS =
            List.of(
                    "LOWER(s) = 'b2'",
                    "LOWER(s) > 'b' AND a = 2",
                    "LOWER(s) LIKE 'c%'",
                    "LOWER(s) IN ('a1', 'c3')",
                    "a = 4 AND NOT gone",
                    "a > 2 AND NOT gone AND s IS NOT NULL",
                    "a + id = 40 AND a > 3",
                    "a + id BETWEEN 20 AND 60 AND a > 5",
                    "a + id > 30 AND a IS NOT NULL",
                    "(a + id = 12 OR a + id = 77) AND a >= 4",
                    "a = 7 AND gone",
                    "s = 'B2' AND a BETWEEN 4 AND 6");

    /// Joins with conditions at `%1$s` about the table `%2$s`.
    private static final List<String> JOINS =
            List.of(
                    "n JOIN %2$s ON LOWER(s) = k WHERE %1$s",
                    "n JOIN %2$s ON a + id = m WHERE a > 3 AND %1$s",
                    "n LEFT JOIN %2$s ON LOWER(s) = k AND %1$s",
                    "n LEFT JOIN %2$s ON a = m AND NOT gone WHERE gone IS NULL OR %1$s",
                    "%2$s RIGHT JOIN n ON a + id = m AND a > 3 AND %1$s",
                    "n LEFT JOIN %2$s ON a = m WHERE (%1$s) IS NOT TRUE");

    private final SimDirectory directory = new SimDirectory();
    private final Gen gen = new Gen(Seed.of("terms", 20_261_122));
    private TestDatabase database = TestDatabase.on(directory, 1 << 20);

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @Test
    void indexesOfTermsFindWhatATableWithoutThemFinds() {
        for (String table : List.of("t", "u")) {
            database.update(
                    "CREATE TABLE %s (id INT PRIMARY KEY, a INT, s VARCHAR, gone BOOLEAN)"
                            .formatted(table));
        }
        database.update("CREATE TABLE n (m INT PRIMARY KEY, k VARCHAR)");
        database.update(
                "INSERT INTO n VALUES (1, 'a1'), (2, 'b2'), (4, 'c3'), (12, NULL), (40, 'B2'), (77, 'x')");
        database.update("CREATE INDEX t_lower ON t (LOWER(s), a)");
        database.update("CREATE UNIQUE INDEX t_open ON t (a) WHERE NOT gone");
        change(CHANGES / 2);
        database.update("CREATE INDEX t_sum ON t (a + id) WHERE a > 3");
        database.update("CREATE INDEX t_some ON t (s DESC) WHERE a IS NOT NULL");
        compare();
        database.close();
        database = TestDatabase.on(directory, 1 << 20);
        change(CHANGES / 2);
        compare();
    }

    private void change(int times) {
        int refused = 0;
        for (int i = 0; i < times; i++) {
            int id = gen.below(90);
            String a = gen.chance(10) ? "NULL" : String.valueOf(gen.below(10));
            String s = gen.chance(10) ? "NULL" : "'" + text() + "'";
            String gone = gen.chance(15) ? "NULL" : gen.chance(30) ? "FALSE" : "TRUE";
            String change =
                    switch (gen.below(6)) {
                        case 0, 1 ->
                                "INSERT INTO %s VALUES ("
                                        + id
                                        + ", "
                                        + a
                                        + ", "
                                        + s
                                        + ", "
                                        + gone
                                        + ") ON CONFLICT (id) DO UPDATE SET a = excluded.a";
                        case 2 -> "UPDATE %s SET a = " + a + " WHERE id = " + id;
                        case 3 ->
                                "UPDATE %s SET gone = " + gone + ", s = " + s + " WHERE id = " + id;
                        case 4 ->
                                "UPDATE %s SET id = id + 100 WHERE id = "
                                        + id
                                        + " AND id NOT IN (SELECT id - 100 FROM %1$s)";
                        default -> "DELETE FROM %s WHERE id IN (" + id + ", " + (id + 100) + ")";
                    };
            try {
                long changed = database.update(change.formatted("t"));
                assertEquals(changed, database.update(change.formatted("u")), change);
            } catch (ConstraintException e) {
                refused++;
            }
            assertEquals(
                    List.of(),
                    database.query(
                            "SELECT a FROM t WHERE NOT gone AND a IS NOT NULL"
                                    + " GROUP BY a HAVING count(*) > 1"));
        }
        assertTrue(refused > 0, "nothing was refused");
    }

    private String text() {
        String text = String.valueOf((char) ('a' + gen.below(3))) + gen.below(4);
        return gen.chance(50) ? text.toUpperCase(java.util.Locale.ROOT) : text;
    }

    private void compare() {
        Map<String, Integer> used = new HashMap<>();
        for (String condition : CONDITIONS) {
            String query = "SELECT id FROM %s WHERE " + condition + " ORDER BY id";
            assertEquals(
                    database.query(query.replace("%s", "u")),
                    database.query(query.replace("%s", "t")),
                    condition);
            String plan = String.join("\n", database.query("EXPLAIN " + query.replace("%s", "t")));
            for (String index : List.of("t_lower", "t_open", "t_sum", "t_some")) {
                used.merge(index, plan.contains("using " + index) ? 1 : 0, Integer::sum);
            }
        }
        assertTrue(used.values().stream().allMatch(count -> count > 0), () -> "used: " + used);
        compareJoins();
    }

    private void compareJoins() {
        int used = 0;
        for (String join : JOINS) {
            for (String condition : CONDITIONS) {
                String query = "SELECT m, id FROM " + join + " ORDER BY m, id";
                String ofTerms = query.formatted(condition, "t");
                assertEquals(
                        database.query(query.formatted(condition, "u")),
                        database.query(ofTerms),
                        ofTerms);
                String plan = String.join("\n", database.query("EXPLAIN " + ofTerms));
                used += plan.contains("using t_") ? 1 : 0;
            }
        }
        assertTrue(used > JOINS.size(), "too few joins used an index of terms: " + used);
    }
}
