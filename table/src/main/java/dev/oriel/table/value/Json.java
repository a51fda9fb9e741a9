package dev.oriel.table.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// JSON values as bytes whose unsigned order is the order of the values, so that indexes, sorts and hash tables
/// take them as any other bytes. Values that are equal have the same bytes.
///
/// | value | bytes |
/// |---|---|
/// | `null` | `01` |
/// | string | `02`, UTF-8 with `00` written as `01 01` and `01` as `01 02`, then `00` |
/// | number | `03`, then `01`, `02` or `03` for negative, zero, positive. Of the value `0.d1d2... * 10^e` with `d1 > 0` and no zeros at the end follow three parts. `e` plus 2^31 in four bytes, big-endian, the digits in pairs, each plus one, and `00`. A negative number has their complement |
/// | `false`, `true` | `04`, `05` |
/// | array | `06`, the count of its elements in four bytes, big-endian, the elements |
/// | object | `07`, the count of its members, and of each the name as a string without `02`, and the value |
///
/// The members of an object have different names, shorter ones (in bytes) first, equally long ones in the order of
/// their bytes. So values are ordered as PostgreSQL documents for `jsonb`: null, strings, numbers, false, true,
/// arrays, objects; arrays and objects by their count first. Not kept are blanks, the order of members, all but
/// the last member of a name, and zeros at the end of a fraction (`1.0` becomes `1`).
///
/// A value is read in place, by the offset at which it begins.
public final class Json {
    /// Greatest depth to which arrays and objects may be nested.
    public static final int DEPTH_MAX = 500;

    /// Greatest distance of a number's first digit from the point, in digits.
    public static final int EXPONENT_MAX = 10_000;

    static final int NULL = 1;
    static final int STRING = 2;
    static final int NUMBER = 3;
    static final int FALSE = 4;
    static final int TRUE = 5;
    static final int ARRAY = 6;
    static final int OBJECT = 7;

    static final int NEGATIVE = 1;
    static final int ZERO = 2;
    static final int POSITIVE = 3;

    /// Bytes of the kind and the count of an array or object.
    static final int HEAD_BYTES = 5;

    private Json() {}

    /// Kinds of values.
    public enum Kind {
        NULL,
        STRING,
        NUMBER,
        BOOLEAN,
        ARRAY,
        OBJECT
    }

    /// The value of the JSON text `text`.
    ///
    /// @throws JsonException if it is not JSON, nested deeper than [#DEPTH_MAX], or holds a number
    ///     beyond [#EXPONENT_MAX]
    public static byte[] parse(String text) {
        return new JsonParser(text, false).parse();
    }

    /// Like [#parse], and an object that has a name twice is refused too.
    public static byte[] parseUnique(String text) {
        return new JsonParser(text, true).parse();
    }

    public static Kind kind(byte[] json, int at) {
        return switch (json[at]) {
            case NULL -> Kind.NULL;
            case STRING -> Kind.STRING;
            case NUMBER -> Kind.NUMBER;
            case FALSE, TRUE -> Kind.BOOLEAN;
            case ARRAY -> Kind.ARRAY;
            case OBJECT -> Kind.OBJECT;
            default -> throw new IllegalStateException("no JSON value begins with " + json[at]);
        };
    }

    /// Offset of the end of the value at `at`.
    public static int end(byte[] json, int at) {
        // Elements of arrays are passed in this loop; only objects recur, see endOfObject.
        long values = 1;
        int i = at;
        while (values > 0) {
            values--;
            switch (json[i]) {
                case NULL, FALSE, TRUE -> i++;
                case STRING -> i = endOfString(json, i + 1);
                case NUMBER -> i = endOfNumber(json, i);
                case ARRAY -> {
                    values += count(json, i);
                    i += HEAD_BYTES;
                }
                case OBJECT -> i = endOfObject(json, i);
                default -> throw new IllegalStateException("no JSON value begins with " + json[i]);
            }
        }
        return i;
    }

    /// Objects within objects recur, at most [#DEPTH_MAX] deep.
    private static int endOfObject(byte[] json, int at) {
        int count = count(json, at);
        int i = at + HEAD_BYTES;
        for (int member = 0; member < count; member++) {
            i = end(json, endOfString(json, i));
        }
        return i;
    }

    /// Offset after the `00` of the string whose bytes begin at `at`.
    static int endOfString(byte[] json, int at) {
        int i = at;
        while (json[i] != 0) {
            i++;
        }
        return i + 1;
    }

    private static int endOfNumber(byte[] json, int at) {
        int sign = json[at + 1];
        if (sign == ZERO) {
            return at + 2;
        }
        byte end = (byte) (sign == NEGATIVE ? 0xFF : 0);
        int i = at + 6;
        while (json[i] != end) {
            i++;
        }
        return i + 1;
    }

    /// Number of elements or members of an array or object.
    public static int count(byte[] json, int at) {
        return (json[at + 1] & 0xFF) << 24
                | (json[at + 2] & 0xFF) << 16
                | (json[at + 3] & 0xFF) << 8
                | (json[at + 4] & 0xFF);
    }

    /// Offset of the first element of an array, or of the first name of an object.
    public static int first(int at) {
        return at + HEAD_BYTES;
    }

    /// The name of the member whose name begins at `at`.
    public static String name(byte[] json, int at) {
        return string(json, at, endOfString(json, at) - 1);
    }

    /// Offset of the value of the member whose name begins at `at`.
    public static int value(byte[] json, int at) {
        return endOfString(json, at);
    }

    /// Offset of the value of the member `name`; -1 if the object at `at` has none.
    public static int member(byte[] json, int at, String name) {
        return Utf8.unpaired(name) >= 0 ? -1 : member(json, at, name(name));
    }

    /// The bytes of `name`, for [#member(byte[], int, byte[])].
    ///
    /// @throws JsonException if `name` holds half of a surrogate pair
    public static byte[] name(String name) {
        return new JsonBuilder().putName(name).toBytes();
    }

    /// Like [#member(byte[], int, String)], by the bytes of the name.
    public static int member(byte[] json, int at, byte[] wanted) {
        int count = count(json, at);
        int i = first(at);
        for (int member = 0; member < count; member++) {
            int end = endOfString(json, i);
            if (end - i == wanted.length && startsWith(json, i, wanted)) {
                return end;
            }
            i = end(json, end);
        }
        return -1;
    }

    private static boolean startsWith(byte[] json, int at, byte[] wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (json[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /// Offset of element `index` of the array at `at`; -1 if there is none.
    public static int element(byte[] json, int at, long index) {
        if (index < 0 || index >= count(json, at)) {
            return -1;
        }
        int i = first(at);
        for (long passed = 0; passed < index; passed++) {
            i = end(json, i);
        }
        return i;
    }

    public static boolean truth(byte[] json, int at) {
        return json[at] == TRUE;
    }

    /// Content of the string at `at`.
    public static String string(byte[] json, int at) {
        return string(json, at + 1, endOfString(json, at + 1) - 1);
    }

    private static String string(byte[] json, int from, int end) {
        int i = from;
        while (i < end && json[i] != Utf8.ESCAPE) {
            i++;
        }
        if (i == end) {
            return new String(json, from, end - from, StandardCharsets.UTF_8);
        }
        byte[] plain = new byte[end - from];
        int length = 0;
        for (i = from; i < end; i++) {
            plain[length++] = json[i] == Utf8.ESCAPE ? (byte) (json[++i] - 1) : json[i];
        }
        return new String(plain, 0, length, StandardCharsets.UTF_8);
    }

    /// The number at `at`, without zeros at the end of its fraction.
    public static BigDecimal number(byte[] json, int at) {
        int sign = json[at + 1];
        if (sign == ZERO) {
            return BigDecimal.ZERO;
        }
        int flip = sign == NEGATIVE ? 0xFF : 0;
        int exponent = 0;
        for (int i = at + 2; i < at + 6; i++) {
            exponent = exponent << 8 | ((json[i] & 0xFF) ^ flip);
        }
        exponent ^= Integer.MIN_VALUE;
        StringBuilder digits = new StringBuilder();
        for (int i = at + 6; ((json[i] & 0xFF) ^ flip) != 0; i++) {
            int pair = ((json[i] & 0xFF) ^ flip) - 1;
            digits.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
        }
        BigInteger unscaled = new BigInteger(digits.toString());
        BigDecimal value =
                new BigDecimal(
                                sign == NEGATIVE ? unscaled.negate() : unscaled,
                                digits.length() - exponent)
                        .stripTrailingZeros();
        return value.scale() < 0 ? value.setScale(0) : value;
    }

    /// The value at `at` alone.
    public static byte[] copy(byte[] json, int at) {
        int end = end(json, at);
        return at == 0 && end == json.length ? json : Arrays.copyOfRange(json, at, end);
    }

    /// Refuses a composed value that is nested too deep.
    ///
    /// @throws JsonException if it is nested deeper than [#DEPTH_MAX]
    public static byte[] checked(byte[] json) {
        // Values left in each open array; in an object the complement of their number, which grows
        // to -1.
        int[] left = new int[DEPTH_MAX + 1];
        int level = 0;
        int i = 0;
        while (true) {
            int kind = json[i];
            if (kind == ARRAY || kind == OBJECT) {
                if (level == DEPTH_MAX) {
                    throw JsonParser.tooDeep(-1);
                }
                int count = count(json, i);
                left[++level] = kind == OBJECT ? ~count : count;
                i = first(i);
            } else {
                i = end(json, i);
            }
            while (level > 0 && (left[level] == 0 || left[level] == -1)) {
                level--;
            }
            if (level == 0) {
                return json;
            }
            if (left[level] < 0) {
                left[level]++;
                i = endOfString(json, i);
            } else {
                left[level]--;
            }
        }
    }

    /// The whole of `json` as text, as PostgreSQL prints it: `{"a": 1, "b": [true, null]}`.
    public static String text(byte[] json) {
        return text(json, 0);
    }

    /// The value at `at` as text.
    public static String text(byte[] json, int at) {
        StringBuilder out = new StringBuilder();
        new JsonWriter(json, out, false).write(at, 0);
        return out.toString();
    }

    /// The value at `at` as text with a line for each element and member.
    public static String pretty(byte[] json, int at) {
        StringBuilder out = new StringBuilder();
        new JsonWriter(json, out, true).write(at, 0);
        return out.toString();
    }
}
