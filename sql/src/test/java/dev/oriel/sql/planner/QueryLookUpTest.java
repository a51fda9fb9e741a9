package dev.oriel.sql.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A lookup by key finds the same rows as a test of each row.
class QueryLookUpTest {
    private static final int ROWS = 2_500;
    private static final String MARK = "among few rows of the query";

    @Test
    void lookingUpFindsWhatAskingEachRowDoes() {
        Gen gen = new Gen(Seed.of("QueryLookUpTest", 1));
        try (TestDatabase database = new TestDatabase()) {
            int lookedUp = 0;
            create(database, gen);
            for (int i = 0; i < 150; i++) {
                String column = gen.pick(List.of("id", "v", "t", "d"));
                String query = values(gen, column);
                String other = gen.chance(40) ? " AND id % " + (1 + gen.below(7)) + " = 0" : "";
                String order =
                        gen.chance(50)
                                ? " ORDER BY "
                                        + gen.pick(List.of("id", "id DESC", "v, id", "t DESC, id"))
                                        + (gen.chance(50) ? " LIMIT " + gen.below(20) : "")
                                : " ORDER BY id";
                String read = "SELECT id, v, t, d FROM large WHERE ";
                String direct = read + column + " IN (" + query + ")" + other + order;
                // NULLIF with an absent value changes nothing, but is no key.
                String each = read + never(column) + " IN (" + query + ")" + other + order;
                assertFalse(explained(database, each).contains(MARK), each);
                lookedUp += explained(database, direct).contains(MARK) ? 1 : 0;
                assertEquals(database.query(each), database.query(direct), direct);
            }
            assertTrue(lookedUp > 25, "looked up: " + lookedUp);
        }
    }

    private static String never(String column) {
        return switch (column) {
            case "t" -> "NULLIF(t, 'never')";
            case "d" -> "NULLIF(d, DATE '1900-01-01')";
            default -> "NULLIF(" + column + ", -1000000)";
        };
    }

    private static String explained(TestDatabase database, String statement) {
        return String.join("\n", database.query("EXPLAIN " + statement));
    }

    /// Any number of values, some of them NULL, some not in the table.
    private static String values(Gen gen, String column) {
        String of = gen.chance(50) ? "large" : "other";
        int low = gen.below(ROWS);
        int high = low + gen.pick(List.of(0, 1, 10, 100, ROWS));
        return "SELECT " + column + " FROM " + of + " WHERE n >= " + low + " AND n < " + high;
    }

    private static void create(TestDatabase database, Gen gen) {
        for (String table : List.of("large", "other")) {
            database.update(
                    "CREATE TABLE "
                            + table
                            + " (id INTEGER PRIMARY KEY, v INTEGER, t VARCHAR(10), d DATE, n INTEGER)");
            for (int i = 0; i < ROWS; i++) {
                int id = table.equals("large") ? i : 2 * i;
                @Nullable Integer v = gen.chance(10) ? null : gen.below(300);
                @Nullable String t = gen.chance(10) ? null : "t" + gen.below(2_000);
                database.update(
                        "INSERT INTO "
                                + table
                                + " VALUES (?, ?, ?, DATE '2024-01-01' + CAST(? AS INTEGER), ?)",
                        id,
                        v,
                        t,
                        gen.chance(10) ? null : gen.below(1_000),
                        i);
            }
        }
        database.update("CREATE INDEX large_v ON large (v)");
        database.update("CREATE ARRAY INDEX large_t ON large (t)");
        database.update("CREATE INDEX large_d ON large (d, v)");
        database.update("CREATE INDEX large_some ON large (v) WHERE n > 100");
        database.update("ANALYZE");
    }
}
