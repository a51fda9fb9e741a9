package dev.oriel.table.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.table.definition.Type;
import dev.oriel.table.model.Rows;
import dev.oriel.table.model.Values;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Texts that are compared, and decimals that are read as digits, are those that are in the row.
final class SymbolsTest {
    @Test
    void symbolsAreTheTextsOfTheirRows() {
        Gen gen = new Gen(Seed.of("SymbolsTest.symbols", 11));
        for (int round = 0; round < 20; round++) {
            Rows rows = new Rows(Type.varchar(0), Type.varchar(0));
            List<String> few = new ArrayList<>();
            for (int i = 0; i < 1 + gen.below(200); i++) {
                few.add(gen.text(gen.below(40)));
            }
            for (int i = 0; i < 3_000; i++) {
                String first = gen.pick(few);
                String second = gen.chance(50) ? first : gen.text(12);
                StoredRow row = rows.store(Values.tuple(first, second));
                assertEquals(first, row.symbolAt(0));
                assertEquals(second, row.symbolAt(1));
            }
        }
    }

    @Test
    void textsThatDifferInAnyByteAreToldApart() {
        Rows rows = new Rows(Type.varchar(0));
        for (int length = 1; length <= 33; length++) {
            for (int i = 0; i < 40; i++) {
                assertEquals(
                        "a".repeat(length),
                        rows.store(Values.tuple("a".repeat(length))).symbolAt(0));
            }
            for (int at = 0; at < length; at++) {
                String other = "a".repeat(at) + "b" + "a".repeat(length - at - 1);
                assertEquals(other, rows.store(Values.tuple(other)).symbolAt(0));
                String usual = "a".repeat(length);
                assertEquals(usual, rows.store(Values.tuple(usual)).symbolAt(0));
            }
        }
    }

    @Test
    void aTextThatComesAgainIsTheSameObject() {
        Rows rows = new Rows(Type.varchar(0));
        String first = "";
        for (int i = 0; i < 100; i++) {
            first = Objects.requireNonNull(rows.store(Values.tuple("AIR REG")).symbolAt(0));
        }
        StoredRow row = rows.store(Values.tuple("AIR REG"));
        assertSame(first, row.symbolAt(0));
        assertNotSame(first, row.textAt(0));
    }

    @Test
    void digitsAreThoseOfTheDecimal() {
        Gen gen = new Gen(Seed.of("SymbolsTest.digits", 12));
        Rows rows = new Rows(new Type(Type.Name.DECIMAL, 0, 0));
        Tuple copy = new Tuple(1);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            BigInteger digits = new BigInteger(1 + gen.below(80), new Random(gen.anyLong()));
            BigDecimal value =
                    new BigDecimal(gen.chance(50) ? digits : digits.negate(), gen.below(22) - 2);
            StoredRow row = rows.store(Values.tuple(value));
            long found = row.digitsAt(0, value.scale());
            if (found != Row.NO_DIGITS) {
                assertEquals(value, BigDecimal.valueOf(found, value.scale()));
                read++;
            }
            assertEquals(Row.NO_DIGITS, row.digitsAt(0, value.scale() + 1));
            copy.copy(0, row, 0, Type.Shape.DECIMAL);
            assertEquals(value, copy.decimalAt(0));
            long copied = copy.digitsAt(0, value.scale());
            if (copied != Row.NO_DIGITS) {
                assertEquals(value, BigDecimal.valueOf(copied, value.scale()));
            }
            Tuple again = new Tuple(1);
            copy.copyDecimal(0, again, 0);
            assertEquals(value, again.decimalAt(0));
        }
        assertTrue(read > 10_000, "read as digits: " + read);
    }
}
