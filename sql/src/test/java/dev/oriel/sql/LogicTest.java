package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.sql.engine.TestDatabase;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Truth tables, each evaluated with constants, which are folded, and with parameters.
class LogicTest {
    private static final List<String> TRUTHS = List.of("TRUE", "FALSE", "NULL");

    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private String evaluate(String expression, String a, String b) {
        String folded =
                database.query("SELECT " + with(expression, "(" + a + ")", "(" + b + ")"))
                        .getFirst();
        String text = "SELECT " + with(expression, "CAST(? AS BOOLEAN)", "CAST(? AS BOOLEAN)");
        String computed =
                expression.matches(".*\\bb\\b.*")
                        ? database.query(text, truth(a), truth(b)).getFirst()
                        : database.query(text, truth(a)).getFirst();
        assertEquals(folded, computed, expression + " of " + a + ", " + b);
        return computed.toUpperCase(Locale.ROOT);
    }

    private static String with(String expression, String a, String b) {
        return expression.replaceAll("\\ba\\b", a).replaceAll("\\bb\\b", b);
    }

    private static @Nullable Object truth(String text) {
        return switch (text) {
            case "TRUE" -> 1L;
            case "FALSE" -> 0L;
            default -> null;
        };
    }

    private void table(String expression, String... rows) {
        StringBuilder expected = new StringBuilder();
        StringBuilder found = new StringBuilder();
        for (int i = 0; i < TRUTHS.size(); i++) {
            expected.append(rows[i]).append('\n');
            for (String b : TRUTHS) {
                found.append(evaluate(expression, TRUTHS.get(i), b).charAt(0)).append(' ');
            }
            found.setCharAt(found.length() - 1, '\n');
        }
        assertEquals(expected.toString(), found.toString(), expression);
    }

    @Test
    void andIsFalseBeforeItIsUnknown() {
        table("a AND b", "T F N", "F F F", "N F N");
    }

    @Test
    void orIsTrueBeforeItIsUnknown() {
        table("a OR b", "T T T", "T F N", "T N N");
    }

    @Test
    void comparisonsWithNullAreUnknown() {
        table("a = b", "T F N", "F T N", "N N N");
        table("a <> b", "F T N", "T F N", "N N N");
        table("a < b", "F F N", "T F N", "N N N");
        table("a >= b", "T T N", "F T N", "N N N");
    }

    @Test
    void distinctnessIsNeverUnknown() {
        table("a IS DISTINCT FROM b", "F T T", "T F T", "T T F");
        table("a IS NOT DISTINCT FROM b", "T F F", "F T F", "F F T");
    }

    @Test
    void testsOfOneTruthAreNeverUnknown() {
        table("NOT a", "F F F", "T T T", "N N N");
        table("a IS NULL", "F F F", "F F F", "T T T");
        table("a IS TRUE", "T T T", "F F F", "F F F");
        table("a IS NOT TRUE", "F F F", "T T T", "T T T");
        table("a IS FALSE", "F F F", "T T T", "F F F");
        table("a IS UNKNOWN", "F F F", "F F F", "T T T");
        table("a IS NOT UNKNOWN", "T T T", "T T T", "F F F");
    }

    @Test
    void membershipIsUnknownWhereNullMayBeTheMember() {
        table("a IN (b)", "T F N", "F T N", "N N N");
        table("a IN (b, TRUE)", "T T T", "F T N", "N N N");
        table("a NOT IN (b, TRUE)", "F F F", "T F N", "N N N");
    }

    @Test
    void betweenIsFalseWhereOneSideIsFor() {
        table("a BETWEEN b AND TRUE", "T T N", "F T N", "N N N");
        table("a NOT BETWEEN b AND FALSE", "T T T", "T F N", "N N N");
    }

    @Test
    void onlyTrueLetsARowThroughAndAnUnknownWhenIsPassedOver() {
        table("CASE WHEN a THEN TRUE WHEN b THEN FALSE END", "T T T", "F N N", "F N N");
        table("COALESCE(a, b)", "T T T", "F F F", "T F N");
        table("NULLIF(a, b)", "N T T", "F N F", "N N N");
    }
}
