package dev.oriel.table.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.model.Rows;
import dev.oriel.table.model.Values;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.schema.KeyBounds;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class KeyCodecTest {
    private static Type type(Type.Name name) {
        return Values.type(name);
    }

    private static Slice key(Type[] types, @Nullable Object... values) {
        NativeBuffer buffer = new NativeBuffer(8);
        KeyCodec.putRow(buffer, Values.tuple(values), types, values.length);
        return buffer.slice(new Slice());
    }

    private static String hex(Type.Name name, @Nullable Object value) {
        return HexFormat.of().formatHex(key(new Type[] {type(name)}, value).toBytes());
    }

    @Test
    void bytesAreAsDocumented() {
        assertEquals("18", hex(Type.Name.BIGINT, 0L));
        assertEquals("1a012c", hex(Type.Name.BIGINT, 300L));
        assertEquals("17", hex(Type.Name.BIGINT, -1L));
        assertEquals("1600", hex(Type.Name.BIGINT, -256L));
        assertEquals("207fffffffffffffff", hex(Type.Name.BIGINT, Long.MAX_VALUE));
        assertEquals("0f8000000000000000", hex(Type.Name.BIGINT, Long.MIN_VALUE));
        assertEquals("fe", hex(Type.Name.BIGINT, null));
        assertEquals("018000000000000000", hex(Type.Name.DOUBLE, -0.0));
        assertEquals("01bff0000000000000", hex(Type.Name.DOUBLE, 1.0));
        assertEquals("0100", hex(Type.Name.VARCHAR, ""));
        assertEquals("01610101620102c3a900", hex(Type.Name.VARCHAR, "a\0b\u0001é"));
        assertEquals("010101ff00", hex(Type.Name.BLOB, new byte[] {0, -1}));
        assertEquals("0102", hex(Type.Name.DECIMAL, new BigDecimal("0.00")));
        assertEquals("010319010c00", hex(Type.Name.DECIMAL, new BigDecimal("1.10")));
        assertEquals("0101e6fef3ff", hex(Type.Name.DECIMAL, new BigDecimal("-1.1")));
    }

    @Test
    void infinitiesAndNanStandAroundAllNumbers() {
        Type[] types = {type(Type.Name.DECIMAL)};
        List<BigDecimal> ascending =
                List.of(
                        NonFinite.NEGATIVE_INFINITY,
                        new BigDecimal("-9e131071"),
                        new BigDecimal("-1"),
                        BigDecimal.ZERO,
                        new BigDecimal("1e-16383"),
                        new BigDecimal("9e131071"),
                        NonFinite.INFINITY,
                        NonFinite.NAN);
        for (int i = 0; i < ascending.size(); i++) {
            Slice key = key(types, ascending.get(i));
            BigDecimal read = new KeyReader().over(key).takeDecimal();
            assertEquals(0, ascending.get(i).compareTo(java.util.Objects.requireNonNull(read)));
            assertEquals(NonFinite.is(ascending.get(i)), NonFinite.is(read));
            for (int j = 0; j < i; j++) {
                assertTrue(Slice.compare(key(types, ascending.get(j)), key) < 0);
                assertTrue(ascending.get(j).compareTo(ascending.get(i)) < 0);
            }
        }
    }

    @Test
    void byteOrderIsTheOrderOfValuesForEveryType() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.order", 1));
        for (Type.Name name : Type.Name.values()) {
            Type[] types = {type(name)};
            for (int i = 0; i < 20_000; i++) {
                Object a = Values.random(gen, types[0], true);
                Object b = Values.random(gen, types[0], true);
                int expected = Integer.signum(Values.ORDER.compare(a, b));
                int found = Integer.signum(Slice.compare(key(types, a), key(types, b)));
                assertEquals(expected, found, () -> name + ": " + show(a) + " and " + show(b));
            }
        }
    }

    private static String show(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? HexFormat.of().formatHex(bytes)
                : String.valueOf(value);
    }

    @Test
    void columnsCompareOneByOneAndNoValueBeginsAnother() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.tuples", 2));
        Type.Name[] names = Type.Name.values();
        for (int i = 0; i < 50_000; i++) {
            Type[] types = {
                type(names[gen.below(names.length)]),
                type(names[gen.below(names.length)]),
                type(names[gen.below(names.length)])
            };
            @Nullable Object[] a = random(gen, types);
            @Nullable Object[] b = gen.chance(50) ? a.clone() : random(gen, types);
            if (gen.chance(50)) {
                int changed = gen.below(3);
                b[changed] = Values.random(gen, types[changed], true);
            }
            int expected = Values.compare(a, b, new int[] {0, 1, 2}, 3);
            int found = Slice.compare(key(types, a), key(types, b));
            assertEquals(Integer.signum(expected), Integer.signum(found));
        }
    }

    private static @Nullable Object[] random(Gen gen, Type[] types) {
        @Nullable Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = Values.random(gen, types[i], true);
        }
        return values;
    }

    @Test
    void boundsOfLeadingColumnsCompareAsTuples() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.bounds", 3));
        Type[] types = {type(Type.Name.VARCHAR), type(Type.Name.INTEGER), type(Type.Name.DECIMAL)};
        KeyRange range = new KeyRange(3);
        KeyBounds bounds = new KeyBounds();
        for (int i = 0; i < 50_000; i++) {
            @Nullable Object[] row = random(gen, types);
            @Nullable Object[] bound = gen.chance(60) ? row.clone() : random(gen, types);
            int count = 1 + gen.below(3);
            boolean inclusive = gen.chance(50);
            for (int column = 0; column < count; column++) {
                Values.set(range.lower(), column, bound[column]);
                Values.set(range.upper(), column, bound[column]);
            }
            range.from(count, inclusive);
            range.to(count, inclusive);
            bounds.set(range, types, new KeyOrder[0], 0);
            Slice key = key(types, row);
            int order = Values.compare(row, bound, new int[] {0, 1, 2}, count);
            boolean above = Slice.compare(key, bounds.low()) >= 0;
            boolean below = Slice.compare(key, bounds.high()) < 0;
            assertEquals(inclusive ? order >= 0 : order > 0, above);
            assertEquals(inclusive ? order <= 0 : order < 0, below);
        }
    }

    @Test
    void columnsOfEveryOrderCompareAndReadBack() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.orders", 6));
        Type.Name[] names = Type.Name.values();
        KeyReader reader = new KeyReader();
        Tuple read = new Tuple(1);
        for (int i = 0; i < 50_000; i++) {
            Type[] types = {
                type(names[gen.below(names.length)]),
                type(names[gen.below(names.length)]),
                type(names[gen.below(names.length)])
            };
            KeyOrder[] orders = {
                gen.pick(List.of(KeyOrder.values())), gen.pick(List.of(KeyOrder.values()))
            };
            @Nullable Object[] a = random(gen, types);
            @Nullable Object[] b = gen.chance(50) ? a.clone() : random(gen, types);
            if (gen.chance(50)) {
                int changed = gen.below(3);
                b[changed] = Values.random(gen, types[changed], true);
            }
            Slice first = key(types, orders, a);
            int expected = Values.compare(a, b, new int[] {0, 1, 2}, 3, List.of(orders));
            int found = Slice.compare(first, key(types, orders, b));
            assertEquals(Integer.signum(expected), Integer.signum(found));
            reader.over(first);
            for (int column = 0; column < 3; column++) {
                assertEquals(a[column] == null, reader.isNull());
                reader.read(types[column], read, 0);
                Object value = Values.get(read, 0, types[column]);
                assertEquals(0, Values.ORDER.compare(a[column], value));
            }
            assertFalse(reader.more());
            reader.over(first).skip(types[0]);
            reader.skip(types[1]);
            reader.skip(types[2]);
            assertFalse(reader.more());
        }
    }

    private static Slice key(Type[] types, KeyOrder[] orders, @Nullable Object... values) {
        NativeBuffer buffer = new NativeBuffer(8);
        KeyCodec.putRow(buffer, Values.tuple(values), types, values.length, orders);
        return buffer.slice(new Slice());
    }

    @Test
    void textsWithoutCaseHaveOneKeyInEachCase() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.case", 8));
        Type[] folded = {type(Type.Name.VARCHAR_IGNORECASE)};
        for (int i = 0; i < 20_000; i++) {
            String text = gen.text(20);
            StringBuilder other = new StringBuilder();
            text.codePoints()
                    .map(c -> gen.chance(50) ? c : Character.toUpperCase(c))
                    .forEach(other::appendCodePoint);
            assertArrayEquals(
                    key(folded, text).toBytes(),
                    key(folded, other.toString()).toBytes(),
                    () -> text + " and " + other);
        }
    }

    @Test
    void keysReadBackAsTheValuesTheyWereMadeOf() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.read", 4));
        Type.Name[] names = Type.Name.values();
        KeyReader reader = new KeyReader();
        Tuple read = new Tuple(1);
        for (int i = 0; i < 50_000; i++) {
            Type[] types = {
                type(names[gen.below(names.length)]), type(names[gen.below(names.length)])
            };
            @Nullable Object[] values = random(gen, types);
            Slice key = key(types, values);
            reader.over(key);
            for (int column = 0; column < 2; column++) {
                reader.read(types[column], read, 0);
                Object found = Values.get(read, 0, types[column]);
                assertEquals(0, Values.ORDER.compare(values[column], found));
            }
            assertFalse(reader.more());
            reader.over(key).skip(types[0]);
            assertTrue(reader.more());
            reader.skip(types[1]);
            assertFalse(reader.more());
        }
    }

    @Test
    void supplementaryCharactersSortAfterThePrivateUseArea() {
        Type[] text = {type(Type.Name.VARCHAR)};
        String supplementary = new String(Character.toChars(0x10000));
        assertTrue("\uE000".compareTo(supplementary) > 0, "UTF-16 has it the other way round");
        assertTrue(Slice.compare(key(text, "\uE000"), key(text, supplementary)) < 0);
    }

    @Test
    void halfOfASurrogatePairSortsByItsNumber() {
        Type[] text = {type(Type.Name.VARCHAR)};
        List<String> ascending = List.of("\uD7FF", "\uD800", "\uDFFF", "\uE000");
        for (int i = 1; i < ascending.size(); i++) {
            assertTrue(
                    Slice.compare(key(text, ascending.get(i - 1)), key(text, ascending.get(i)))
                            < 0);
        }
    }

    @Test
    void decimalsOfDifferentScaleAreTheSameKey() {
        Type[] decimal = {type(Type.Name.DECIMAL)};
        assertArrayEquals(
                key(decimal, new BigDecimal("1.0")).toBytes(),
                key(decimal, new BigDecimal("1.00")).toBytes());
        assertArrayEquals(
                key(decimal, new BigDecimal("-1E+3")).toBytes(),
                key(decimal, new BigDecimal("-1000")).toBytes());
    }

    @Test
    void storedRowsGiveTheSameKeysAsTheirValues() {
        Gen gen = new Gen(Seed.of("KeyCodecTest.stored", 5));
        Type[] types = Arrays.stream(Type.Name.values()).map(Values::type).toArray(Type[]::new);
        Rows rows = new Rows(types);
        int[] all = new int[types.length];
        Arrays.setAll(all, i -> i);
        for (int i = 0; i < 5_000; i++) {
            @Nullable Object[] values = random(gen, types);
            NativeBuffer fromRow = new NativeBuffer(8);
            boolean nulls =
                    StoredKey.putColumns(fromRow, rows.store(Values.tuple(values)), types, all);
            assertArrayEquals(key(types, values).toBytes(), fromRow.slice(new Slice()).toBytes());
            assertEquals(Arrays.asList(values).contains(null), nulls);
        }
    }
}
