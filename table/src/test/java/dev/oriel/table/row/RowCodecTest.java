package dev.oriel.table.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.model.Rows;
import dev.oriel.table.model.Values;
import dev.oriel.table.value.DecimalBytes;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import dev.oriel.table.value.Utf8;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowCodecTest {
    private static @Nullable Object roundTrip(Type type, @Nullable Object value) {
        Rows rows = new Rows(type);
        return Values.row(rows.store(Values.tuple(value)), rows.table)[0];
    }

    private static ConstraintException refusal(Type type, @Nullable Object value) {
        return assertThrows(ConstraintException.class, () -> roundTrip(type, value));
    }

    @Test
    void bytesAreAsDocumented() {
        Rows rows =
                new Rows(
                        Type.varchar(0),
                        Type.of(Type.Name.SMALLINT),
                        Type.of(Type.Name.BLOB),
                        Type.of(Type.Name.INTEGER));
        rows.store(Values.tuple("hé", 258L, null, -2L));
        assertEquals(
                "04000000" + "04" + "0201" + "feffffff" + "0300" + "0300" + "68c3a9",
                HexFormat.of().formatHex(rows.buffer.slice(new Slice()).toBytes()));
    }

    @Test
    void rowsOfEveryTypeReadBack() {
        Gen gen = new Gen(Seed.of("RowCodecTest.rows", 1));
        Type.Name[] names = Type.Name.values();
        for (int i = 0; i < 300; i++) {
            Type[] types = new Type[1 + gen.length(40)];
            for (int column = 0; column < types.length; column++) {
                types[column] = Values.type(names[gen.below(names.length)]);
            }
            Rows rows = new Rows(types);
            for (int j = 0; j < 30; j++) {
                @Nullable Object[] values = new Object[types.length];
                for (int column = 0; column < types.length; column++) {
                    values[column] = Values.random(gen, types[column], true);
                }
                assertArrayEquals(values, Values.row(rows.store(Values.tuple(values)), rows.table));
            }
        }
    }

    @Test
    void nullsReadAsZeroOrNull() {
        Rows rows =
                new Rows(
                        Type.of(Type.Name.BIGINT),
                        Type.of(Type.Name.DOUBLE),
                        Type.of(Type.Name.DECIMAL),
                        Type.varchar(5),
                        Type.of(Type.Name.UUID));
        StoredRow row = rows.store(new Tuple(5));
        assertTrue(row.isNull(0) && row.isNull(4));
        assertEquals(0, row.longAt(0));
        assertEquals(0, row.doubleAt(1));
        assertNull(row.decimalAt(2));
        assertNull(row.textAt(3));
        assertNull(row.bytesAt(4));
    }

    @Test
    void longRowsHaveWideOffsets() {
        Rows rows = new Rows(Type.varchar(0), Type.of(Type.Name.BIGINT), Type.varchar(0));
        Gen gen = new Gen(Seed.of("RowCodecTest.wide", 2));
        for (int length : List.of(65_534, 65_535, 65_536, 300_000, 10)) {
            String text = "x".repeat(length - 1);
            String tail = gen.chance(50) ? "é" : "yz";
            StoredRow row = rows.store(Values.tuple(text, 7L, tail));
            assertEquals(text, row.textAt(0));
            assertEquals(7, row.longAt(1));
            assertEquals(tail, row.textAt(2));
        }
    }

    @Test
    void bytesOfATextAreCountedAsTheyAreWritten() {
        Gen gen = new Gen(Seed.of("RowCodecTest.bytes", 3));
        NativeBuffer buffer = new NativeBuffer(8);
        for (int i = 0; i < 5_000; i++) {
            String text = gen.text(200) + (gen.chance(10) ? "\uD83D" : "");
            buffer.clear();
            buffer.putText(text);
            assertEquals(buffer.length(), Utf8.bytes(text));
        }
    }

    @Test
    void digitsAreWrittenAsTheirNumberIs() {
        Gen gen = new Gen(Seed.of("RowCodecTest.digits", 4));
        NativeBuffer byDigits = new NativeBuffer(8);
        NativeBuffer byNumber = new NativeBuffer(8);
        for (int i = 0; i < 20_000; i++) {
            long near = (1L << gen.below(60)) + gen.below(3) - 1; // where another byte begins
            long digits = (gen.chance(50) ? near : gen.random().nextLong() >> gen.below(64));
            digits = (gen.chance(50) ? digits : -digits) % 1_000_000_000_000_000_000L;
            int scale = gen.below(19);
            byDigits.clear();
            DecimalBytes.put(byDigits, digits, scale);
            byNumber.clear();
            DecimalBytes.put(byNumber, BigDecimal.valueOf(digits, scale));
            assertArrayEquals(
                    byNumber.slice(new Slice()).toBytes(),
                    byDigits.slice(new Slice()).toBytes(),
                    "digits " + digits + " scale " + scale);
        }
    }

    @Test
    void digitsAreRoundedAndRefusedAsTheirNumberIs() {
        Rows rows = new Rows(new Type(Type.Name.DECIMAL, 5, 2));
        Tuple values = new Tuple(1);
        values.setDigits(0, -99_999, 2);
        assertEquals(new BigDecimal("-999.99"), rows.store(values).decimalAt(0));
        values.setDigits(0, 1_005, 3);
        assertEquals(new BigDecimal("1.01"), rows.store(values).decimalAt(0));
        values.setDigits(0, 7, 0);
        assertEquals(new BigDecimal("7.00"), rows.store(values).decimalAt(0));
        values.setDigits(0, 100_000, 2);
        ConstraintException refused =
                assertThrows(ConstraintException.class, () -> rows.store(values));
        assertEquals(Kind.OUT_OF_RANGE, refused.kind());
    }

    @Test
    void columnsAddedSinceARowWasWrittenAreNull() {
        Table narrow =
                new Table(
                        1,
                        "T",
                        List.of(
                                new Column("A", Type.of(Type.Name.INTEGER), true),
                                new Column("B", Type.varchar(0), true)),
                        List.of(),
                        List.of());
        Rows old = new Rows(narrow);
        old.store(Values.tuple(5L, "five"));
        Type[] more = {
            Type.of(Type.Name.INTEGER),
            Type.varchar(0),
            Type.of(Type.Name.BIGINT),
            Type.varchar(0),
            Type.of(Type.Name.DOUBLE)
        };
        Rows wide = new Rows(more);
        StoredRow row = wide.store(Values.tuple(1L, "one", 2L, "two", 3.0));
        assertArrayEquals(new Object[] {1L, "one", 2L, "two", 3.0}, Values.row(row, wide.table));
        row.point(old.buffer.slice(new Slice()));
        assertArrayEquals(
                new @Nullable Object[] {5L, "five", null, null, null}, Values.row(row, wide.table));
        assertEquals(0, row.longAt(2));
        row.point(wide.buffer.slice(new Slice()));
        assertArrayEquals(new Object[] {1L, "one", 2L, "two", 3.0}, Values.row(row, wide.table));
    }

    @Test
    void unknownFormsAreRefused() {
        StoredRow row = new Rows(Type.of(Type.Name.INTEGER)).store(Values.tuple(1L));
        assertThrows(CorruptionException.class, () -> row.point(Slice.copyOf((byte) 1)));
        byte[] flagged = new byte[20];
        flagged[0] = 1;
        flagged[2] = 2;
        assertThrows(CorruptionException.class, () -> row.point(Slice.copyOf(flagged)));
        byte[] tooShort = {1, 0, 0, 0, 0};
        assertThrows(CorruptionException.class, () -> row.point(Slice.copyOf(tooShort)));
    }

    @Test
    void integersStayInTheirRange() {
        for (Type.Name name :
                List.of(Type.Name.TINYINT, Type.Name.SMALLINT, Type.Name.INTEGER, Type.Name.DATE)) {
            int bits =
                    switch (name) {
                        case TINYINT -> 7;
                        case SMALLINT -> 15;
                        default -> 31;
                    };
            Type type = Type.of(name);
            assertEquals((1L << bits) - 1, roundTrip(type, (1L << bits) - 1));
            assertEquals(-(1L << bits), roundTrip(type, -(1L << bits)));
            assertEquals(Kind.OUT_OF_RANGE, refusal(type, 1L << bits).kind());
            assertEquals(Kind.OUT_OF_RANGE, refusal(type, -(1L << bits) - 1).kind());
        }
        assertEquals(Kind.OUT_OF_RANGE, refusal(Type.of(Type.Name.BOOLEAN), 2L).kind());
        assertEquals(Kind.OUT_OF_RANGE, refusal(Type.of(Type.Name.TIME), 86_400_000_000L).kind());
        assertEquals(Kind.OUT_OF_RANGE, refusal(Type.of(Type.Name.TIME), -1L).kind());
    }

    @Test
    void realsAreRoundedAndTooLargeOnesRefused() {
        Type real = Type.of(Type.Name.REAL);
        assertEquals((double) 0.1f, roundTrip(real, 0.1));
        assertEquals(Double.POSITIVE_INFINITY, roundTrip(real, Double.POSITIVE_INFINITY));
        assertEquals(Double.NaN, roundTrip(real, Double.NaN));
        assertEquals(Kind.OUT_OF_RANGE, refusal(real, 1e39).kind());
    }

    @Test
    void valuesThatAreNoNumbersAreKept() {
        Type any = Type.of(Type.Name.DECIMAL);
        Type limited = new Type(Type.Name.DECIMAL, 4, 2);
        for (BigDecimal value :
                List.of(NonFinite.NAN, NonFinite.INFINITY, NonFinite.NEGATIVE_INFINITY)) {
            assertEquals(value, roundTrip(any, value));
        }
        assertEquals(NonFinite.NAN, roundTrip(limited, NonFinite.NAN));
        assertEquals(Kind.OUT_OF_RANGE, refusal(limited, NonFinite.INFINITY).kind());
    }

    @Test
    void decimalsAreRoundedHalfAwayFromZero() {
        Type type = new Type(Type.Name.DECIMAL, 4, 2);
        assertEquals(new BigDecimal("1.01"), roundTrip(type, new BigDecimal("1.005")));
        assertEquals(new BigDecimal("-1.01"), roundTrip(type, new BigDecimal("-1.005")));
        assertEquals(new BigDecimal("3.00"), roundTrip(type, new BigDecimal("3")));
        assertEquals(new BigDecimal("0.00"), roundTrip(type, new BigDecimal("1E-1000000000")));
        assertEquals(new BigDecimal("0.00"), roundTrip(type, new BigDecimal("0E+1000")));
        assertEquals(new BigDecimal("99.99"), roundTrip(type, new BigDecimal("99.994")));
        assertEquals(Kind.OUT_OF_RANGE, refusal(type, new BigDecimal("99.995")).kind());
        assertEquals(Kind.OUT_OF_RANGE, refusal(type, new BigDecimal("100")).kind());
        assertEquals(Kind.OUT_OF_RANGE, refusal(type, new BigDecimal("1E+1000000000")).kind());
        BigDecimal far = new BigDecimal("123456789012345678901234567890E-900");
        assertEquals(far, roundTrip(Type.of(Type.Name.DECIMAL), far));
    }

    @Test
    void lengthsCountCharactersNotChars() {
        String smiles = "\uD83D\uDE00".repeat(3);
        assertEquals(smiles, roundTrip(Type.varchar(3), smiles));
        ConstraintException refusal = refusal(Type.varchar(2), smiles);
        assertEquals(Kind.VALUE_TOO_LONG, refusal.kind());
        assertTrue(refusal.context().contains("table=T column=C0 type=VARCHAR(2)"));
        assertTrue(refusal.context().contains("characters=3"));
        assertEquals(
                Kind.VALUE_TOO_LONG,
                refusal(new Type(Type.Name.VARBINARY, 2, 0), new byte[3]).kind());
        assertEquals(Kind.OUT_OF_RANGE, refusal(Type.of(Type.Name.UUID), new byte[15]).kind());
    }

    @Test
    void halfOfASurrogatePairIsRefused() {
        assertEquals(Kind.OUT_OF_RANGE, refusal(Type.varchar(9), "ab\uD83D").kind());
        assertEquals(Kind.OUT_OF_RANGE, refusal(Type.varchar(9), "\uDE00\uD83D").kind());
    }

    @Test
    void nullIsRefusedWhereAValueIsRequired() {
        Table table =
                new Table(
                        1,
                        "T",
                        List.of(
                                new Column("A", Type.varchar(3), true),
                                new Column("B", Type.varchar(3), false)),
                        List.of(0),
                        List.of());
        Rows rows = new Rows(table);
        for (Row values : Arrays.asList(Values.tuple(null, "b"), Values.tuple("a", null))) {
            ConstraintException refusal =
                    assertThrows(ConstraintException.class, () -> rows.store(values));
            assertEquals(Kind.NOT_NULL, refusal.kind());
        }
    }
}
