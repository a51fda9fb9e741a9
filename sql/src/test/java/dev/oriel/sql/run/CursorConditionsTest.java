package dev.oriel.sql.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A table cursor's tests on the bytes of rows agree with expressions on their values.
class CursorConditionsTest {
    private static final int ROWS = 1_200;
    private static final List<String> WORDS =
            List.of("", "a", "special", "specials", "requests", "aß", "ﬀ", "日本", "😀", "x%y", "A");

    @Test
    void cursorFindsWhatExpressionsDo() {
        Gen gen = new Gen(Seed.of("CursorConditionsTest", 1));
        try (TestDatabase database = new TestDatabase()) {
            create(database, gen);
            int some = 0;
            for (int i = 0; i < 400; i++) {
                List<String> conditions = new ArrayList<>();
                for (int n = 1 + gen.below(3); n > 0; n--) {
                    conditions.add(condition(gen));
                }
                String from = gen.chance(30) ? "r JOIN s ON r.id = s.id" : "r";
                String read = "SELECT r.id FROM " + from + " WHERE ";
                String direct = read + String.join(" AND ", conditions) + " ORDER BY 1";
                // Comparing with TRUE hides the condition from the cursor.
                String each =
                        read + "((" + String.join(") AND (", conditions) + ")) IS TRUE ORDER BY 1";
                List<String> expected = database.query(each);
                some += expected.isEmpty() || expected.size() == ROWS ? 0 : 1;
                assertEquals(expected, database.query(direct), direct);
            }
            assertTrue(some > 100, "with some rows, but not all: " + some);
        }
    }

    private static String condition(Gen gen) {
        String not = gen.chance(30) ? "NOT " : "";
        String operator = gen.pick(List.of("=", "<>", "<", "<=", ">", ">="));
        return switch (gen.below(9)) {
            case 0 -> gen.pick(List.of("n", "later")) + " " + operator + " " + number(gen);
            case 1 -> "d " + operator + " " + decimal(gen);
            case 2 -> decimal(gen) + " " + operator + " d";
            case 3 -> "n " + operator + " " + gen.pick(List.of("m", "later", "r.id"));
            case 4 -> "d " + not + "BETWEEN " + decimal(gen) + " AND " + decimal(gen);
            case 5 ->
                    gen.pick(List.of("n", "later"))
                            + " "
                            + not
                            + "IN ("
                            + number(gen)
                            + ", "
                            + number(gen)
                            + ")";
            case 6 ->
                    gen.pick(List.of("t", "word")) + " " + operator + " '" + gen.pick(WORDS) + "'";
            case 7 -> "t " + not + "IN ('" + gen.pick(WORDS) + "', '" + gen.pick(WORDS) + "')";
            default -> gen.pick(List.of("t", "word")) + " " + not + "LIKE '" + pattern(gen) + "'";
        };
    }

    private static String pattern(Gen gen) {
        String pattern = gen.pick(List.of("", "%"));
        for (int n = gen.below(4); n > 0; n--) {
            pattern += gen.pick(List.of("a", "s", "special", "re", "ß", "本", "x", "q", "_")) + "%";
        }
        return pattern;
    }

    private static String number(Gen gen) {
        return gen.chance(5)
                ? gen.pick(List.of("9223372036854775807", "-9223372036854775808"))
                : Integer.toString(gen.below(40) - 20);
    }

    private static String decimal(Gen gen) {
        return BigDecimal.valueOf(gen.below(4_000) - 2_000, gen.below(4)).toPlainString();
    }

    private static String text(Gen gen) {
        String text = "";
        for (int n = gen.below(5); n > 0; n--) {
            text += gen.pick(WORDS) + gen.pick(List.of("", " "));
        }
        return text;
    }

    private static void create(TestDatabase database, Gen gen) {
        database.update(
                "CREATE TABLE r (id INTEGER PRIMARY KEY, n BIGINT, m SMALLINT, d DECIMAL(9, 2), t VARCHAR(100))");
        database.update("CREATE TABLE s (id INTEGER PRIMARY KEY, z VARCHAR(10))");
        for (int i = 0; i < ROWS; i++) {
            if (i == ROWS / 2) {
                database.update("ALTER TABLE r ADD COLUMN later INTEGER DEFAULT 7");
                database.update("ALTER TABLE r ADD COLUMN word VARCHAR(100) DEFAULT 'special'");
            }
            database.update(
                    "INSERT INTO r (id, n, m, d, t) VALUES (?, ?, ?, ?, ?)",
                    i,
                    gen.chance(10) ? null : (long) gen.below(40) - 20,
                    gen.chance(10) ? null : gen.below(40) - 20,
                    gen.chance(10) ? null : BigDecimal.valueOf(gen.below(4_000) - 2_000, 2),
                    gen.chance(10) ? null : text(gen));
            if (i > ROWS / 2 && gen.chance(60)) {
                database.update(
                        "UPDATE r SET later = ?, word = ? WHERE id = ?",
                        gen.chance(20) ? null : gen.below(40) - 20,
                        gen.chance(20) ? null : text(gen),
                        i);
            }
            database.update("INSERT INTO s VALUES (?, 'z')", i);
        }
    }
}
