package dev.oriel.sql.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// GROUP BY keys that depend on others make the same groups as by themselves.
class GroupKeysTest {
    private static final List<String> KEYS =
            List.of(
                    "c.id",
                    "c.name",
                    "c.place",
                    "c.far",
                    "p.id",
                    "p.name",
                    "o.id",
                    "o.customer",
                    "o.price",
                    "o.day");

    private static final List<String> JOINS =
            List.of(
                    "c JOIN o ON o.customer = c.id JOIN p ON p.id = c.place",
                    "c LEFT JOIN o ON o.customer = c.id LEFT JOIN p ON p.id = c.place",
                    "o LEFT JOIN (c JOIN p ON p.id = c.place) ON o.customer = c.id AND o.price > 5",
                    "p LEFT JOIN c ON p.id = c.place LEFT JOIN o ON o.id = c.id AND o.customer = p.id",
                    "c FULL JOIN o ON o.customer = c.id FULL JOIN p ON p.id = c.place",
                    "o RIGHT JOIN c ON o.customer = c.id AND o.day = 3 JOIN p ON p.id = c.place",
                    "p, c LEFT JOIN LATERAL (SELECT p.id + 1 AS y) l ON TRUE"
                            + " LEFT JOIN o ON o.id = c.far");

    private static final List<String> KEYS_OF_TWO =
            List.of("t.a", "t.b", "t.c", "x.id", "x.k", "x.g");

    /// Joins of the table with a key of two columns to another.
    private static final List<String> JOINS_OF_TWO =
            List.of(
                    "t LEFT JOIN x ON x.k = t.a",
                    "t JOIN x ON x.k = t.a AND x.k = t.b",
                    "t JOIN x ON x.k = t.a AND x.g = t.b",
                    "t LEFT JOIN x ON x.k = t.a AND x.k = t.b",
                    "t LEFT JOIN x ON x.id = t.b",
                    "x LEFT JOIN t ON x.k = t.a AND x.g = t.b",
                    "x FULL JOIN t ON x.k = t.a");

    @Test
    void groupsAreThoseOfAllKeys() {
        for (long budget : new long[] {Long.MAX_VALUE, 1}) {
            Gen gen = new Gen(Seed.of("GroupKeysTest", 1));
            try (TestDatabase database = TestDatabase.on(new SimDirectory(), budget)) {
                create(database, gen);
                for (int i = 0; i < 200; i++) {
                    List<String> keys = new ArrayList<>();
                    List<String> hidden = new ArrayList<>();
                    for (int n = 1 + gen.below(5); n > 0; n--) {
                        String key = gen.pick(KEYS);
                        keys.add(key);
                        hidden.add(hidden(key));
                    }
                    String from = gen.pick(JOINS);
                    String results =
                            ", COUNT(*), SUM(o.price), AVG(o.price), SUM(o.price * (1 - o.price)),"
                                    + " MIN(c.name), COUNT(o.id) FROM ";
                    String where = gen.chance(30) ? " WHERE c.place <> 2" : "";
                    String direct = query(keys, results + from + where);
                    // Dependencies are not derived from expressions.
                    String each = query(hidden, results + from + where);
                    assertEquals(
                            sorted(database.query(each)), sorted(database.query(direct)), direct);
                }
            }
        }
    }

    @Test
    void twoColumnsOfAKeyMayBeEqualToOneThatIsGroupedBy() {
        Gen gen = new Gen(Seed.of("GroupKeysTest", 2));
        try (TestDatabase database = new TestDatabase()) {
            createTwo(database, gen);
            for (int i = 0; i < 400; i++) {
                List<String> keys = new ArrayList<>();
                List<String> hidden = new ArrayList<>();
                for (int n = 1 + gen.below(3); n > 0; n--) {
                    String key = gen.pick(KEYS_OF_TWO);
                    keys.add(key);
                    hidden.add(hidden(key));
                }
                String where = gen.pick(List.of("", " WHERE t.a = t.b", " WHERE t.a = t.c"));
                String rest =
                        ", COUNT(*), SUM(x.id), SUM(t.c) FROM " + gen.pick(JOINS_OF_TWO) + where;
                String direct = query(keys, rest);
                assertEquals(
                        sorted(database.query(query(hidden, rest))),
                        sorted(database.query(direct)),
                        direct);
            }
        }
    }

    private static void createTwo(TestDatabase database, Gen gen) {
        database.update("CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (a, b))");
        database.update("CREATE TABLE x (id INTEGER PRIMARY KEY, k INTEGER, g INTEGER)");
        for (int a = 0; a < 6; a++) {
            for (int b = 0; b < 6; b++) {
                if (gen.chance(70)) {
                    database.update("INSERT INTO t VALUES (?, ?, ?)", a, b, gen.below(6));
                }
            }
        }
        for (int i = 0; i < 40; i++) {
            database.update(
                    "INSERT INTO x VALUES (?, ?, ?)",
                    i,
                    gen.chance(10) ? null : gen.below(8),
                    gen.chance(10) ? null : gen.below(3));
        }
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().sorted().toList();
    }

    private static String query(List<String> keys, String rest) {
        String list = String.join(", ", keys);
        return "SELECT " + list + rest + " GROUP BY " + list;
    }

    private static String hidden(String key) {
        return key.endsWith("name")
                ? "NULLIF(" + key + ", 'never')"
                : "NULLIF(" + key + ", -1000000)";
    }

    private static void create(TestDatabase database, Gen gen) {
        database.update("CREATE TABLE p (id INTEGER PRIMARY KEY, name VARCHAR(20))");
        database.update(
                "CREATE TABLE c (id INTEGER PRIMARY KEY, name VARCHAR(20), place INTEGER, far INTEGER)");
        database.update(
                "CREATE TABLE o (id INTEGER PRIMARY KEY, customer INTEGER, price DECIMAL(8, 2), day INTEGER)");
        for (int i = 0; i < 5; i++) {
            database.update("INSERT INTO p VALUES (?, ?)", i, "p" + i % 3);
        }
        for (int i = 0; i < 60; i++) {
            database.update(
                    "INSERT INTO c VALUES (?, ?, ?, ?)",
                    i,
                    gen.chance(10) ? null : "c" + gen.below(20),
                    gen.chance(20) ? null : gen.below(7),
                    gen.chance(20) ? null : gen.below(600));
        }
        for (int i = 0; i < 300; i++) {
            database.update(
                    "INSERT INTO o VALUES (?, ?, ?, ?)",
                    i,
                    gen.chance(10) ? null : gen.below(80),
                    gen.chance(10) ? null : BigDecimal.valueOf(gen.below(3_000), 2),
                    gen.below(4));
        }
    }
}
