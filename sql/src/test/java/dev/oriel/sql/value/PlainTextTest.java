package dev.oriel.sql.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTextTest {
    private static final Type DECIMAL = Type.of(Type.Name.DECIMAL);
    private static final Type DATE = Type.of(Type.Name.DATE);

    private final Tuple row = new Tuple(1);

    /// Reads `text` as the middle of something longer.
    private boolean read(String text, Type type) {
        char[] characters = ("7-" + text + ".7").toCharArray();
        return PlainText.read(characters, 2, 2 + text.length(), type, row, 0);
    }

    @Test
    void numbersAreWhatTheOtherReaderReads() {
        Gen gen = new Gen(Seed.of("PlainTextTest.numbers", 1));
        String characters = "0123456789012345678901234567890123456789.-+e ";
        int plain = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder(gen.chance(20) ? "-" : "");
            for (int j = gen.below(22); j > 0; j--) {
                text.append(characters.charAt(gen.below(characters.length())));
            }
            if (read(text.toString(), DECIMAL)) {
                plain++;
                assertEquals(
                        TextFormat.parseDecimal(text.toString()),
                        row.decimalAt(0),
                        text.toString());
            }
            Type whole =
                    Type.of(
                            gen.pick(
                                    List.of(
                                            Type.Name.TINYINT,
                                            Type.Name.SMALLINT,
                                            Type.Name.INTEGER,
                                            Type.Name.BIGINT)));
            if (read(text.toString(), whole)) {
                assertEquals(
                        TextFormat.parseLong(text.toString(), whole),
                        row.longAt(0),
                        text.toString());
            }
        }
        assertTrue(plain > 5_000, "plain ones: " + plain);
    }

    @Test
    void whatIsNoPlainNumberIsLeftAlone() {
        for (String text :
                List.of("", "-", ".", "-.", "+1", "1e3", " 1", "1 ", "1.2.3", "--1", "1-", "x")) {
            assertFalse(read(text, DECIMAL), text);
        }
        assertTrue(read("999999999999999999", DECIMAL));
        assertFalse(read("1000000000000000000", DECIMAL));
        assertTrue(read("-.5", DECIMAL));
        assertEquals(new BigDecimal("-0.5"), row.decimalAt(0));
        assertTrue(read("5.", DECIMAL));
        assertEquals(new BigDecimal("5"), row.decimalAt(0));
        Type small = Type.of(Type.Name.TINYINT);
        assertTrue(read("-128", small));
        assertEquals(-128, row.longAt(0));
        assertFalse(read("128", small));
        assertFalse(read("1.0", small));
    }

    @Test
    void daysAreThoseOfTheCalendar() {
        for (long day = -720_000; day < 2_900_000; day += 97) {
            LocalDate date = LocalDate.ofEpochDay(day);
            if (date.getYear() >= 0 && date.getYear() < 10_000) {
                assertTrue(read(date.toString(), DATE), date.toString());
                assertEquals(day, row.longAt(0));
                assertEquals(day, TextFormat.parseLong(date.toString(), DATE));
            }
        }
        for (String text :
                List.of(
                        "2024-2-29",
                        "12024-01-01",
                        "2024/01/01",
                        "2024-01-0x",
                        "-024-01-01",
                        "2023-02-29",
                        "2024-00-10",
                        "2024-13-01",
                        "2024-04-31")) {
            assertFalse(read(text, DATE), text);
        }
    }
}
