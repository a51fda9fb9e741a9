package dev.oriel.table.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    /// Names in the order in which objects hold them.
    private static final Comparator<String> NAMES =
            Comparator.<String>comparingInt(name -> utf8(name).length)
                    .thenComparing(JsonTest::utf8, Arrays::compareUnsigned);

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// A value as Java has it: null, String, BigDecimal, Boolean, List, or Map by name.
    private static @Nullable Object value(Gen gen, int depth) {
        return switch (gen.below(depth > 4 ? 4 : 6)) {
            case 0 -> null;
            case 1 -> gen.chance(50);
            case 2 -> number(gen);
            case 3 -> gen.chance(30) ? "\u0001\u0002\u0003".substring(gen.below(4)) : gen.text(12);
            case 4 -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = gen.below(4); i > 0; i--) {
                    list.add(value(gen, depth + 1));
                }
                yield list;
            }
            default -> {
                Map<String, @Nullable Object> map = new TreeMap<>(NAMES);
                for (int i = gen.below(5); i > 0; i--) {
                    map.put(gen.text(3), value(gen, depth + 1));
                }
                yield map;
            }
        };
    }

    private static BigDecimal number(Gen gen) {
        BigDecimal whole = BigDecimal.valueOf(gen.anyLong());
        return gen.chance(50)
                ? whole
                : whole.movePointLeft(gen.below(40)).movePointRight(gen.below(30));
    }

    private static byte[] encoded(@Nullable Object value) {
        JsonBuilder builder = new JsonBuilder();
        put(value, builder);
        return builder.toBytes();
    }

    private static void put(@Nullable Object value, JsonBuilder out) {
        switch (value) {
            case null -> out.putNull();
            case Boolean truth -> out.putBoolean(truth);
            case BigDecimal number -> out.putNumber(number);
            case String text -> out.putString(text);
            case List<?> list -> {
                JsonBuilder.Open array = out.beginArray();
                for (Object element : list) {
                    array.element();
                    put(element, out);
                }
                array.end();
            }
            case Map<?, ?> map -> {
                JsonBuilder.Open object = out.beginObject();
                List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
                if (entries.size() > 1) { // the order of members does not count
                    entries.add(entries.removeFirst());
                }
                for (Map.Entry<?, ?> entry : entries) {
                    object.name((String) entry.getKey());
                    put(entry.getValue(), out);
                }
                object.end();
            }
            default -> throw new IllegalStateException(String.valueOf(value));
        }
    }

    private static int rank(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case String text -> 1;
            case BigDecimal number -> 2;
            case Boolean truth -> 3;
            case List<?> list -> 4;
            default -> 5;
        };
    }

    /// The order that PostgreSQL documents for jsonb.
    private static int compare(@Nullable Object a, @Nullable Object b) {
        if (rank(a) != rank(b)) {
            return Integer.compare(rank(a), rank(b));
        }
        if (a == null || b == null) {
            return 0;
        }
        return switch (a) {
            case String text -> Arrays.compareUnsigned(utf8(text), utf8((String) b));
            case BigDecimal number -> number.compareTo((BigDecimal) b);
            case Boolean truth -> Boolean.compare(truth, (Boolean) b);
            case List<?> list -> {
                List<?> other = (List<?>) b;
                int order = Integer.compare(list.size(), other.size());
                for (int i = 0; order == 0 && i < list.size(); i++) {
                    order = compare(list.get(i), other.get(i));
                }
                yield order;
            }
            case Map<?, ?> map -> {
                List<? extends Map.Entry<?, ?>> mine = List.copyOf(map.entrySet());
                List<? extends Map.Entry<?, ?>> others = List.copyOf(((Map<?, ?>) b).entrySet());
                int order = Integer.compare(mine.size(), others.size());
                for (int i = 0; order == 0 && i < mine.size(); i++) {
                    order = compare(mine.get(i).getKey(), others.get(i).getKey());
                    order =
                            order != 0
                                    ? order
                                    : compare(mine.get(i).getValue(), others.get(i).getValue());
                }
                yield order;
            }
            default -> throw new IllegalStateException(String.valueOf(a));
        };
    }

    @Test
    void bytesCompareAsValuesAndTextComesBack() {
        Gen gen = new Gen(Seed.of("JsonTest.order", 11));
        List<@Nullable Object> values = new ArrayList<>();
        List<byte[]> encoded = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            Object value = value(gen, 0);
            byte[] bytes = encoded(value);
            values.add(value);
            encoded.add(bytes);
            assertEquals(bytes.length, Json.end(bytes, 0));
            assertArrayEquals(bytes, Json.checked(bytes));
            assertArrayEquals(bytes, Json.parse(Json.text(bytes)), () -> Json.text(bytes));
            assertArrayEquals(bytes, Json.parse(Json.pretty(bytes, 0)), () -> Json.text(bytes));
        }
        for (int i = 0; i < values.size(); i++) {
            for (int j = 0; j < values.size(); j++) {
                int wanted = Integer.signum(compare(values.get(i), values.get(j)));
                int found = Integer.signum(Arrays.compareUnsigned(encoded.get(i), encoded.get(j)));
                String pair = Json.text(encoded.get(i)) + " and " + Json.text(encoded.get(j));
                assertEquals(wanted, found, pair);
            }
        }
    }

    @Test
    void membersAndElementsAreFound() {
        Gen gen = new Gen(Seed.of("JsonTest.members", 12));
        for (int i = 0; i < 3_000; i++) {
            Object value = value(gen, 0);
            byte[] bytes = encoded(value);
            if (value instanceof List<?> list) {
                for (int at = 0; at < list.size(); at++) {
                    int element = Json.element(bytes, 0, at);
                    assertArrayEquals(encoded(list.get(at)), Json.copy(bytes, element));
                }
                assertEquals(-1, Json.element(bytes, 0, list.size()));
            } else if (value instanceof Map<?, ?> map) {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    int member = Json.member(bytes, 0, (String) entry.getKey());
                    assertArrayEquals(encoded(entry.getValue()), Json.copy(bytes, member));
                }
                assertEquals(-1, Json.member(bytes, 0, "no such name"));
            }
        }
    }

    @Test
    void brokenTextIsRefusedWithItsPlaceOrReadAsItWasMeant() {
        Gen gen = new Gen(Seed.of("JsonTest.broken", 13));
        int refused = 0;
        for (int i = 0; i < 30_000; i++) {
            StringBuilder text = new StringBuilder(Json.text(encoded(value(gen, 0))));
            for (int change = gen.below(3); change >= 0; change--) {
                int at = gen.below(text.length() + 1);
                switch (gen.below(3)) {
                    case 0 -> text.insert(at, "{}[]\",:0e-.tfn\\u \n".charAt(gen.below(18)));
                    case 1 -> text.delete(at, Math.min(text.length(), at + 1 + gen.below(3)));
                    default -> text.setLength(at);
                }
            }
            String broken = text.toString();
            try {
                byte[] bytes = Json.parse(broken);
                assertArrayEquals(bytes, Json.parse(Json.text(bytes)), broken);
            } catch (JsonException expected) {
                refused++;
                assertTrue(
                        expected.position() >= 0 && expected.position() <= broken.length(),
                        expected.getMessage());
            }
        }
        assertTrue(refused > 10_000, "only " + refused + " were refused");
    }

    @Test
    void nestingIsBoundedAndSizeIsNot() {
        String deep = "[".repeat(Json.DEPTH_MAX) + "]".repeat(Json.DEPTH_MAX);
        byte[] bytes = Json.parse(deep);
        assertEquals(deep, Json.text(bytes));
        assertThrows(JsonException.class, () -> Json.parse("[" + deep + "]"));
        JsonBuilder builder = new JsonBuilder();
        JsonBuilder.Open array = builder.beginArray();
        array.element();
        builder.putJson(bytes, 0);
        array.end();
        JsonException tooDeep =
                assertThrows(JsonException.class, () -> Json.checked(builder.toBytes()));
        assertEquals("JSON is nested more than 500 levels deep", tooDeep.getMessage());
        assertThrows(JsonException.class, () -> Json.parse("{\"a\":".repeat(100_000)));
    }

    @Test
    void theLastOfMembersWithOneNameStays() {
        assertEquals("{\"a\": 3, \"b\": 2}", Json.text(Json.parse("{\"a\":1,\"b\":2,\"a\":3}")));
        JsonException twice =
                assertThrows(JsonException.class, () -> Json.parseUnique("{\"a\":1,\"a\":3}"));
        assertEquals(
                "This is not JSON: an object has the name \"a\" twice (line 1, column 1)",
                twice.getMessage());
    }
}
