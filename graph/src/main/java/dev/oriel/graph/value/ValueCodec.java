package dev.oriel.graph.value;

import dev.oriel.store.CorruptionException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.jspecify.annotations.Nullable;

/// Self-describing values: a byte for the kind, then the value. A value is read with the class that it had; lists,
/// sets and maps are read as such.
///
/// | kind | value | kind | value |
/// |---|---|---|---|
/// | 0 | null, inside of collections | 16 | LocalDate: signed days |
/// | 1, 2 | false, true | 17 | LocalTime: varint nanoseconds |
/// | 3 | Byte: 1 byte | 18 | LocalDateTime: 16, 17 |
/// | 4, 5, 6 | Short, Integer, Long: signed varint | 19 | OffsetDateTime: 18, signed seconds of offset |
/// | 7, 8 | Float, Double: 4, 8 bytes | 21 | Duration: signed seconds, varint nanoseconds |
/// | 9 | Character: varint | 22 | byte[]: varint length, bytes |
/// | 10 | String: varint length, UTF-8 | 23 to 29 | boolean[], short[], int[], long[], float[], double[], char[]: varint length, elements |
/// | 11 | BigInteger: as 22 | 30 | String[]: varint length, as 10 each |
/// | 12 | BigDecimal: signed scale, as 22 | 31, 32 | List, Set: varint size, values |
/// | 13 | UUID: 16 bytes | 33 | Map: varint size, keys and values |
/// | 14 | Date: signed milliseconds | | |
/// | 15 | Instant: signed seconds, varint nanoseconds | | |
public final class ValueCodec {
    private static final int TEXT = 10;
    private static final int DEPTH_MAX = 64;

    /// First byte of ids that are ordered after all numbers.
    public static final byte AFTER_NUMBERS = 2;

    private ValueCodec() {}

    /// Appends `value` with its kind.
    ///
    /// @throws IllegalArgumentException if its class is not supported
    public static void put(Bytes out, @Nullable Object value) {
        put(out, value, 0);
    }

    private static void put(Bytes out, @Nullable Object value, int depth) {
        switch (value) {
            case null -> out.put(0);
            case String v -> {
                out.put(TEXT);
                out.putText(v);
            }
            case Integer v -> signed(out, 5, v);
            case Long v -> signed(out, 6, v);
            case Boolean v -> out.put(v ? 2 : 1);
            case Double v -> fixed(out, 8, Double.doubleToRawLongBits(v), 8);
            case Float v -> fixed(out, 7, Float.floatToRawIntBits(v), 4);
            case Byte v -> fixed(out, 3, v, 1);
            case Short v -> signed(out, 4, v);
            case Character v -> {
                out.put(9);
                out.putVarint(v);
            }
            case BigInteger v -> {
                out.put(11);
                out.putBytes(v.toByteArray());
            }
            case BigDecimal v -> {
                signed(out, 12, v.scale());
                out.putBytes(v.unscaledValue().toByteArray());
            }
            case UUID v -> {
                fixed(out, 13, v.getMostSignificantBits(), 8);
                out.putFixed(v.getLeastSignificantBits(), 8);
            }
            case List<?> v -> collection(out, 31, v, depth);
            case Set<?> v -> collection(out, 32, v, depth);
            case Map<?, ?> v -> map(out, v, depth);
            default -> {
                if (!putMoment(out, value) && !putArray(out, value)) {
                    throw Property.Exceptions.dataTypeOfPropertyValueNotSupported(value);
                }
            }
        }
    }

    /// Whether values like this one are supported.
    static boolean isSupported(Object value) {
        try {
            put(new Bytes(), value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void signed(Bytes out, int kind, long value) {
        out.put(kind);
        out.putSigned(value);
    }

    private static void fixed(Bytes out, int kind, long value, int bytes) {
        out.put(kind);
        out.putFixed(value, bytes);
    }

    private static void collection(Bytes out, int kind, Collection<?> values, int depth) {
        deeper(values, depth);
        out.put(kind);
        out.putVarint(values.size());
        for (Object value : values) {
            put(out, value, depth + 1);
        }
    }

    private static void map(Bytes out, Map<?, ?> map, int depth) {
        deeper(map, depth);
        out.put(33);
        out.putVarint(map.size());
        map.forEach((key, value) -> {
            put(out, key, depth + 1);
            put(out, value, depth + 1);
        });
    }

    private static void deeper(Object value, int depth) {
        if (depth == DEPTH_MAX) {
            throw Property.Exceptions.dataTypeOfPropertyValueNotSupported(value);
        }
    }

    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    private static boolean putMoment(Bytes out, Object value) {
        switch (value) {
            case Date v when v.getClass() == Date.class -> signed(out, 14, v.getTime());
            case Instant v -> {
                signed(out, 15, v.getEpochSecond());
                out.putVarint(v.getNano());
            }
            case LocalDate v -> signed(out, 16, v.toEpochDay());
            case LocalTime v -> {
                out.put(17);
                out.putVarint(v.toNanoOfDay());
            }
            case LocalDateTime v -> {
                out.put(18);
                putDateTime(out, v);
            }
            case OffsetDateTime v -> {
                out.put(19);
                putDateTime(out, v.toLocalDateTime());
                out.putSigned(v.getOffset().getTotalSeconds());
            }
            case Duration v -> {
                signed(out, 21, v.getSeconds());
                out.putVarint(v.getNano());
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void putDateTime(Bytes out, LocalDateTime value) {
        out.putSigned(value.toLocalDate().toEpochDay());
        out.putVarint(value.toLocalTime().toNanoOfDay());
    }

    private static boolean putArray(Bytes out, Object value) {
        switch (value) {
            case byte[] v -> {
                out.put(22);
                out.putBytes(v);
            }
            case boolean[] v -> {
                length(out, 23, v.length);
                for (boolean each : v) {
                    out.put(each ? 1 : 0);
                }
            }
            case short[] v -> {
                length(out, 24, v.length);
                for (short each : v) {
                    out.putSigned(each);
                }
            }
            case int[] v -> {
                length(out, 25, v.length);
                for (int each : v) {
                    out.putSigned(each);
                }
            }
            case long[] v -> {
                length(out, 26, v.length);
                for (long each : v) {
                    out.putSigned(each);
                }
            }
            case float[] v -> {
                length(out, 27, v.length);
                for (float each : v) {
                    out.putFixed(Float.floatToRawIntBits(each), 4);
                }
            }
            case double[] v -> {
                length(out, 28, v.length);
                for (double each : v) {
                    out.putFixed(Double.doubleToRawLongBits(each), 8);
                }
            }
            case char[] v -> {
                length(out, 29, v.length);
                for (char each : v) {
                    out.putVarint(each);
                }
            }
            case String[] v -> {
                length(out, 30, v.length);
                for (String each : v) {
                    put(out, each);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void length(Bytes out, int kind, int length) {
        out.put(kind);
        out.putVarint(length);
    }

    /// Reads a value written by [#put].
    ///
    /// @throws CorruptionException if the bytes are malformed
    public static @Nullable Object take(Bytes in) {
        try {
            return takeAny(in);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw Bytes.damaged(e);
        }
    }

    private static @Nullable Object takeAny(Bytes in) {
        int kind = in.take();
        return switch (kind) {
            case 0 -> null;
            case 1 -> false;
            case 2 -> true;
            case 3 -> (byte) in.take();
            case 4 -> (short) in.takeSigned();
            case 5 -> (int) in.takeSigned();
            case 6 -> in.takeSigned();
            case 7 -> Float.intBitsToFloat((int) in.takeFixed(4));
            case 8 -> Double.longBitsToDouble(in.takeFixed(8));
            case 9 -> (char) in.takeVarint();
            case TEXT -> in.takeText();
            case 11 -> new BigInteger(in.takeBytes());
            case 12 -> {
                int scale = (int) in.takeSigned();
                yield new BigDecimal(new BigInteger(in.takeBytes()), scale);
            }
            case 13 -> new UUID(in.takeFixed(8), in.takeFixed(8));
            case 31 -> takeList(in);
            case 32 -> new LinkedHashSet<>(takeList(in));
            case 33 -> takeMap(in);
            default -> kind < 22 ? takeMoment(in, kind) : takeArray(in, kind);
        };
    }

    private static List<@Nullable Object> takeList(Bytes in) {
        int size = in.takeCount();
        List<@Nullable Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(takeAny(in));
        }
        return list;
    }

    private static Map<@Nullable Object, @Nullable Object> takeMap(Bytes in) {
        int size = in.takeCount();
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>(2 * size);
        for (int i = 0; i < size; i++) {
            map.put(takeAny(in), takeAny(in));
        }
        return map;
    }

    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    private static Object takeMoment(Bytes in, int kind) {
        return switch (kind) {
            case 14 -> new Date(in.takeSigned());
            case 15 -> Instant.ofEpochSecond(in.takeSigned(), in.takeVarint());
            case 16 -> LocalDate.ofEpochDay(in.takeSigned());
            case 17 -> LocalTime.ofNanoOfDay(in.takeVarint());
            case 18 -> takeDateTime(in);
            case 19 -> {
                LocalDateTime moment = takeDateTime(in);
                yield OffsetDateTime.of(moment, ZoneOffset.ofTotalSeconds((int) in.takeSigned()));
            }
            case 21 -> Duration.ofSeconds(in.takeSigned(), in.takeVarint());
            default -> throw Bytes.damaged();
        };
    }

    private static LocalDateTime takeDateTime(Bytes in) {
        LocalDate date = LocalDate.ofEpochDay(in.takeSigned());
        return LocalDateTime.of(date, LocalTime.ofNanoOfDay(in.takeVarint()));
    }

    private static Object takeArray(Bytes in, int kind) {
        if (kind == 22) {
            return in.takeBytes();
        }
        int length = in.takeCount();
        return switch (kind) {
            case 23 -> takeBooleans(in, new boolean[length]);
            case 24 -> takeShorts(in, new short[length]);
            case 25 -> takeInts(in, new int[length]);
            case 26 -> takeLongs(in, new long[length]);
            case 27 -> takeFloats(in, new float[length]);
            case 28 -> takeDoubles(in, new double[length]);
            case 29 -> takeChars(in, new char[length]);
            case 30 -> takeTexts(in, new String[length]);
            default -> throw Bytes.damaged();
        };
    }

    private static boolean[] takeBooleans(Bytes in, boolean[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = in.take() != 0;
        }
        return array;
    }

    private static short[] takeShorts(Bytes in, short[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = (short) in.takeSigned();
        }
        return array;
    }

    private static int[] takeInts(Bytes in, int[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = (int) in.takeSigned();
        }
        return array;
    }

    private static long[] takeLongs(Bytes in, long[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = in.takeSigned();
        }
        return array;
    }

    private static float[] takeFloats(Bytes in, float[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = Float.intBitsToFloat((int) in.takeFixed(4));
        }
        return array;
    }

    private static double[] takeDoubles(Bytes in, double[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = Double.longBitsToDouble(in.takeFixed(8));
        }
        return array;
    }

    private static char[] takeChars(Bytes in, char[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = (char) in.takeVarint();
        }
        return array;
    }

    private static @Nullable String[] takeTexts(Bytes in, @Nullable String[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = (String) take(in);
        }
        return array;
    }

    /// Whether a user may give an element this id: an integer, text or UUID.
    public static boolean isId(@Nullable Object id) {
        return id instanceof Long
                || id instanceof Integer
                || id instanceof Short
                || id instanceof Byte
                || id instanceof String
                || id instanceof UUID;
    }

    /// The bytes of an id in the order of ids: numbers of any class, then texts, then UUIDs.
    public static byte[] idKey(Object id) {
        if (id instanceof String text) {
            return behind(Bytes.utf8(text), AFTER_NUMBERS);
        }
        Bytes out = new Bytes();
        switch (id) {
            case Number v -> fixed(out, 1, v.longValue() ^ Long.MIN_VALUE, 8);
            case UUID v -> {
                fixed(out, 3, v.getMostSignificantBits(), 8);
                out.putFixed(v.getLeastSignificantBits(), 8);
            }
            default -> throw new IllegalArgumentException("Not an id: " + id.getClass());
        }
        return out.copy();
    }

    /// `bytes` preceded by `before`.
    private static byte[] behind(byte[] bytes, int... before) {
        byte[] all = new byte[before.length + bytes.length];
        for (int i = 0; i < before.length; i++) {
            all[i] = (byte) before[i];
        }
        System.arraycopy(bytes, 0, all, before.length, bytes.length);
        return all;
    }

    /// The bytes of a single value.
    public static byte[] encode(Object value) {
        if (value instanceof String text) {
            byte[] bytes = Bytes.utf8(text);
            if (bytes.length <= Byte.MAX_VALUE) {
                return behind(bytes, TEXT, bytes.length); // a length of one byte
            }
        }
        Bytes out = new Bytes();
        put(out, value);
        return out.copy();
    }

    /// The value of bytes from [#encode].
    public static Object decode(byte[] bytes) {
        Object value = take(Bytes.over(bytes));
        if (value == null) {
            throw Bytes.damaged();
        }
        return value;
    }

    /// The number or UUID in a text, or null.
    public static @Nullable Object meant(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            try {
                return text.length() == 36 ? UUID.fromString(text) : null;
            } catch (IllegalArgumentException notAUuid) {
                return null;
            }
        }
    }
}
