package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Random conditions and orders over two tables with the same rows, one of which has every kind of key. Whatever
/// key is chosen, answers and changes are the same.
class AccessModelTest {
    private static final String COLUMNS =
            "(id INT PRIMARY KEY, a SMALLINT, b INT NOT NULL, s VARCHAR(5), d DECIMAL(4, 1), r REAL)";

    private final TestDatabase database = new TestDatabase();
    private final SplittableRandom random = Seed.of("access", 4_711);

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    /// The texts of one table have the type in keys, those of the other are compared in lower case.
    @Test
    void keysWithoutCaseGiveTheAnswersOfLowerCase() {
        database.update("CREATE TABLE keyed (id INT PRIMARY KEY, s VARCHAR_IGNORECASE, b INT)");
        database.update("CREATE TABLE plain (id INT, s VARCHAR, b INT)");
        database.update("CREATE INDEX k1 ON keyed (s, b DESC)");
        database.update("CREATE INDEX k2 ON keyed (b, s)");
        for (int id = 0; id < 80; id++) {
            String given = caseText();
            database.update("INSERT INTO keyed VALUES (%d, %s, %s)".formatted(id, given, id % 3));
            database.update("INSERT INTO plain VALUES (%d, %s, %s)".formatted(id, given, id % 3));
        }
        for (int i = 0; i < 400; i++) {
            String where =
                    switch (random.nextInt(6)) {
                        case 0 -> "{s} = {" + caseText() + "}";
                        case 1 -> "{s} > {" + caseText() + "} AND b = 1";
                        case 2 -> "{s} BETWEEN {" + caseText() + "} AND {" + caseText() + "}";
                        case 3 -> "{s} IN ({" + caseText() + "}, {" + caseText() + "})";
                        case 4 -> "b = 2 AND {s} <= {" + caseText() + "}";
                        default -> "{s} IN (SELECT {s} FROM {table} WHERE id < 5)";
                    };
            String query =
                    pick(
                            "SELECT id FROM {table} WHERE {where} ORDER BY {s}, b DESC, id",
                            "SELECT id, s FROM {table} WHERE {where} ORDER BY id", // as they were
                            // given
                            "SELECT DISTINCT {s} FROM {table} WHERE {where} ORDER BY 1",
                            "SELECT id, c FROM (SELECT id, s, COUNT(*) OVER (PARTITION BY {s}) AS c FROM"
                                    + " {table}) d WHERE CAST(s AS VARCHAR) = {case} ORDER BY id",
                            "SELECT {s}, COUNT(*) FROM {table} WHERE {where} GROUP BY {s} ORDER BY 2, 1",
                            "SELECT MIN({s}), MAX({s}), COUNT(DISTINCT {s}) FROM {table} WHERE {where}",
                            "SELECT a.id, c.id FROM {table} a JOIN (SELECT id AS i, {s} AS t FROM {table})"
                                    + " d ON d.i = a.id JOIN {table} c ON d.t = {c.s} WHERE a.id < 9 ORDER BY 1, 2");
            String text = query.replace("{where}", where).replace("{case}", caseText());
            boolean given = text.startsWith("SELECT id, s");
            List<String> keyed =
                    database.query(text.replace("{table}", "keyed").replaceAll("[{}]", ""));
            List<String> plain =
                    database.query(
                            text.replace("{table}", "plain")
                                    .replaceAll("[{]([^}]*)[}]", "LOWER($1)"));
            if (!given) {
                keyed.replaceAll(row -> row.toLowerCase(java.util.Locale.ROOT));
                plain.replaceAll(row -> row.toLowerCase(java.util.Locale.ROOT));
            }
            if (text.contains("ORDER BY 2, 1")) {
                Collections.sort(keyed);
                Collections.sort(plain);
            }
            assertEquals(plain, keyed, text);
        }
    }

    private String caseText() {
        return random.nextInt(8) == 0
                ? "NULL"
                : "'" + pick("a", "A", "aé", "AÉ", "b", "B", "_", "Bx", "bX") + "'";
    }

    private void createMixed() {
        database.update("CREATE TABLE keyed " + COLUMNS);
        database.update("CREATE TABLE plain " + COLUMNS.replace(" PRIMARY KEY", ""));
        database.update("CREATE INDEX k1 ON keyed (a, b DESC)");
        database.update("CREATE ARRAY INDEX k2 ON keyed (s DESC, a)");
        database.update("CREATE INDEX k3 ON keyed (d DESC NULLS LAST)");
        database.update("CREATE UNIQUE INDEX k4 ON keyed (b DESC, id)");
        database.update("CREATE INDEX k5 ON keyed (r NULLS FIRST, s DESC NULLS LAST)");
        database.update("CREATE INDEX k6 ON keyed (b, a DESC NULLS LAST, d)");
        database.update("CREATE INDEX k7 ON keyed (s, id DESC) WHERE a IS NOT NULL");
        database.update("CREATE INDEX k8 ON keyed (a DESC, d NULLS FIRST, s DESC)");
    }

    private void create() {
        database.update("CREATE TABLE keyed " + COLUMNS);
        database.update("CREATE TABLE plain " + COLUMNS.replace(" PRIMARY KEY", ""));
        database.update("CREATE INDEX k1 ON keyed (a, b)");
        database.update("CREATE ARRAY INDEX k2 ON keyed (s, a)");
        database.update("CREATE INDEX k3 ON keyed (d)");
        database.update("CREATE UNIQUE INDEX k4 ON keyed (b, id)");
        database.update("CREATE INDEX k5 ON keyed (r, s)");
    }

    private void fill(int rows) {
        for (int id = 0; id < rows; id++) {
            String values =
                    "(%d, %s, %d, %s, %s, %s)"
                            .formatted(id, small(), random.nextInt(6), text(), decimal(), small());
            database.update("INSERT INTO keyed VALUES " + values);
            database.update("INSERT INTO plain VALUES " + values);
        }
    }

    private String small() {
        return random.nextInt(5) == 0 ? "NULL" : String.valueOf(random.nextInt(-2, 4));
    }

    private String text() {
        return random.nextInt(5) == 0
                ? "NULL"
                : "'" + "abé".charAt(random.nextInt(3)) + "x".repeat(random.nextInt(3)) + "'";
    }

    private String decimal() {
        return random.nextInt(5) == 0 ? "NULL" : random.nextInt(-3, 4) + "." + random.nextInt(2);
    }

    private String value(String column) {
        return switch (column) {
            case "s" -> text();
            case "d" -> decimal();
            case "id" -> String.valueOf(random.nextInt(60));
            default -> random.nextInt(20) == 0 ? "5000000000" : small();
        };
    }

    private String pick(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String condition(int depth) {
        int kind = random.nextInt(depth > 2 ? 7 : 12);
        String column = pick("id", "a", "b", "s", "d", "r");
        return switch (kind) {
            case 0, 1 -> column + pick(" = ", " < ", " <= ", " > ", " >= ", " <> ") + value(column);
            case 2 -> value(column) + pick(" = ", " < ", " <= ", " > ", " >= ") + column;
            case 3 -> column + " BETWEEN " + value(column) + " AND " + value(column);
            case 4 -> column + pick(" IS NULL", " IS NOT NULL");
            case 5 -> "s LIKE " + pick("'a%'", "'ax_'", "'é%'", "'%x'", "'b'");
            case 6 -> column + " IN (" + value(column) + ", " + value(column) + ")";
            case 7, 8, 9 -> condition(depth + 1) + " AND " + condition(depth + 1);
            case 10 -> "(" + condition(depth + 1) + " OR " + condition(depth + 1) + ")";
            default -> "NOT (" + condition(depth + 1) + ")";
        };
    }

    private List<String> orderColumns() {
        List<String> columns = new ArrayList<>(List.of("id", "a", "b", "s", "d", "r"));
        while (columns.size() > 3 || (!columns.isEmpty() && random.nextBoolean())) {
            columns.remove(random.nextInt(columns.size()));
        }
        return columns;
    }

    private String orderBy(List<String> columns) {
        boolean oneWay = random.nextBoolean();
        String way = pick("", " DESC");
        List<String> keys = new ArrayList<>();
        for (String column : columns) {
            keys.add(
                    column
                            + (oneWay ? way : pick("", " DESC"))
                            + pick("", "", "", " NULLS FIRST", " NULLS LAST"));
        }
        return keys.isEmpty() ? "" : " ORDER BY " + String.join(", ", keys);
    }

    @Test
    void keysOfMixedOrdersGiveTheSameAnswers() {
        createMixed();
        fill(60);
        assertSameAnswers();
    }

    @Test
    void everyKeyGivesTheSameAnswers() {
        create();
        fill(60);
        assertSameAnswers();
    }

    private void assertSameAnswers() {
        int indexed = 0;
        for (int i = 0; i < 1_500; i++) {
            String where = " WHERE " + condition(0);
            List<String> columns = orderColumns();
            String order = orderBy(columns);
            String all = "SELECT * FROM {table}" + where + order;
            List<String> keyed = database.query(all.replace("{table}", "keyed"));
            List<String> plain = database.query(all.replace("{table}", "plain"));
            Collections.sort(keyed);
            Collections.sort(plain);
            assertEquals(plain, keyed, all);
            if (!columns.isEmpty()) {
                String limit = pick("", " LIMIT 3", " LIMIT 4 OFFSET 2");
                String sorted =
                        "SELECT "
                                + String.join(", ", columns)
                                + " FROM {table}"
                                + where
                                + order
                                + limit;
                assertEquals(
                        database.query(sorted.replace("{table}", "plain")),
                        database.query(sorted.replace("{table}", "keyed")),
                        sorted);
            }
            String extreme =
                    "SELECT "
                            + pick("MIN(", "MAX(")
                            + pick("id", "a", "b", "s", "d", "r")
                            + ") FROM {table}"
                            + where;
            assertEquals(
                    database.query(extreme.replace("{table}", "plain")),
                    database.query(extreme.replace("{table}", "keyed")),
                    extreme);
            String plan = database.query("EXPLAIN " + all.replace("{table}", "keyed")).toString();
            indexed += plan.contains("IndexScan") || plan.contains("KeyScan") ? 1 : 0;
        }
        assertTrue(indexed > 500, "only " + indexed + " used a key");
    }

    @Test
    void keysOfMixedOrdersChangeTheSameRows() {
        createMixed();
        fill(60);
        assertSameChanges();
    }

    @Test
    void everyKeyChangesTheSameRows() {
        create();
        fill(60);
        assertSameChanges();
    }

    private void assertSameChanges() {
        for (int i = 0; i < 300; i++) {
            String change =
                    switch (random.nextInt(4)) {
                        case 0 -> "DELETE FROM {table} WHERE " + condition(1) + " AND id > 40";
                        case 1 -> "UPDATE {table} SET a = " + small() + " WHERE " + condition(1);
                        case 2 ->
                                "UPDATE {table} SET b = b + 1, s = "
                                        + text()
                                        + " WHERE "
                                        + condition(1);
                        default -> "UPDATE {table} SET d = b, r = a WHERE " + condition(1);
                    };
            assertEquals(
                    database.update(change.replace("{table}", "plain")),
                    database.update(change.replace("{table}", "keyed")),
                    change);
            assertEquals(
                    database.query("SELECT * FROM plain ORDER BY id"),
                    database.query("SELECT * FROM keyed ORDER BY id"),
                    change);
        }
    }
}
