package dev.oriel.table.value;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Builds a [Json] value from its beginning to its end. Not safe for use by two threads at once.
///
/// ```
/// JsonBuilder.Open object = builder.beginObject();
/// object.name("a");
/// builder.putNumber(BigDecimal.ONE);
/// object.end();
/// ```
public final class JsonBuilder {
    private byte[] bytes = new byte[64];
    private int length;

    public JsonBuilder() {}

    /// Number of bytes so far.
    public int length() {
        return length;
    }

    /// The bytes so far.
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    public JsonBuilder putNull() {
        put(Json.NULL);
        return this;
    }

    public JsonBuilder putBoolean(boolean value) {
        put(value ? Json.TRUE : Json.FALSE);
        return this;
    }

    /// Puts a string.
    ///
    /// @throws JsonException if `text` holds half of a surrogate pair
    public JsonBuilder putString(String text) {
        put(Json.STRING);
        return putName(text);
    }

    /// A string without its type byte.
    JsonBuilder putName(String text) {
        if (Utf8.unpaired(text) >= 0) {
            throw new JsonException(
                    "A JSON string cannot hold half of a surrogate pair, which is not a character",
                    -1);
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        ensure(2L * utf8.length + 1);
        for (byte b : utf8) {
            if (b == 0 || b == Utf8.ESCAPE) {
                bytes[length++] = Utf8.ESCAPE;
                bytes[length++] = (byte) (b + 1);
            } else {
                bytes[length++] = b;
            }
        }
        put(0);
        return this;
    }

    /// Puts a number.
    ///
    /// @throws JsonException if a digit is farther from the point than [Json#EXPONENT_MAX]
    public JsonBuilder putNumber(BigDecimal value) {
        put(Json.NUMBER);
        int sign = value.signum();
        if (sign == 0) {
            put(Json.ZERO);
            return this;
        }
        long exponent = (long) value.precision() - value.scale();
        // Both bounds also limit the digits of a number without zeros at its end.
        if (Math.abs(exponent) > Json.EXPONENT_MAX || value.scale() > 2 * Json.EXPONENT_MAX) {
            throw new JsonException("A number is out of range for JSON", -1);
        }
        put(sign < 0 ? Json.NEGATIVE : Json.POSITIVE);
        int start = length;
        putInt((int) exponent ^ Integer.MIN_VALUE);
        String digits = value.unscaledValue().abs().toString();
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        for (int i = 0; i < end; i += 2) {
            int ones = i + 1 < end ? digits.charAt(i + 1) - '0' : 0;
            put((digits.charAt(i) - '0') * 10 + ones + 1);
        }
        put(0);
        if (sign < 0) {
            for (int i = start; i < length; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
        }
        return this;
    }

    /// Copies the value at `at` of `json`.
    public JsonBuilder putJson(byte[] json, int at) {
        int end = Json.end(json, at);
        ensure((long) end - at);
        System.arraycopy(json, at, bytes, length, end - at);
        length += end - at;
        return this;
    }

    public Open beginArray() {
        return new Open(false);
    }

    public Open beginObject() {
        return new Open(true);
    }

    private JsonBuilder copied() {
        JsonBuilder copy = new JsonBuilder();
        copy.bytes = toBytes();
        copy.length = length;
        return copy;
    }

    private void put(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    private void putInt(int value) {
        ensure(4);
        setInt(length, value);
        length += 4;
    }

    private void setInt(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    private void ensure(long more) {
        long wanted = length + more;
        if (wanted > Integer.MAX_VALUE - 8) {
            throw new JsonException("A JSON value is larger than 2 GB", -1);
        }
        if (wanted > bytes.length) {
            long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 8);
            bytes = Arrays.copyOf(bytes, (int) Math.max(wanted, doubled));
        }
    }

    /// An array or object that is being put.
    public final class Open {
        private final int start;
        private final boolean object;

        /// Offsets of the elements or members.
        private int[] starts = new int[8];

        private int count;

        /// Goes on from `other` of another builder.
        private Open(Open other) {
            this.start = other.start;
            this.object = other.object;
            this.starts = other.starts.clone();
            this.count = other.count;
        }

        private Open(boolean object) {
            this.start = length;
            this.object = object;
            put(object ? Json.OBJECT : Json.ARRAY);
            putInt(0);
        }

        /// Says that an element follows.
        public void element() {
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, 2 * count);
            }
            starts[count++] = length;
        }

        /// Says that the value of member `name` follows.
        ///
        /// @throws JsonException if `name` holds half of a surrogate pair
        public void name(String name) {
            element();
            putName(name);
        }

        /// Ends an array or an object; of members with equal names the last one stays.
        public void end() {
            if (object) {
                order();
            }
            setInt(start + 1, count);
        }

        /// Like [#end()]; returns a name that the object has twice, or null.
        public @Nullable String endUnique() {
            int put = count;
            String twice = null;
            if (object && order() && count < put) {
                twice = repeated;
            }
            setInt(start + 1, count);
            return twice;
        }

        /// The value as if it ended here; more may follow.
        public byte[] soFar() {
            JsonBuilder copy = copied();
            Open ended = copy.new Open(this);
            ended.end();
            return copy.toBytes();
        }

        private String repeated = "";

        /// Sorts the members by name, and drops all but the last of equal names; returns whether anything changed.
        private boolean order() {
            boolean sorted = true;
            for (int i = 1; i < count && sorted; i++) {
                sorted = compare(starts[i - 1], starts[i]) < 0;
            }
            if (sorted) {
                return false;
            }
            int first = start + Json.HEAD_BYTES;
            byte[] members = Arrays.copyOfRange(bytes, first, length);
            Integer[] order = new Integer[count];
            for (int i = 0; i < count; i++) {
                order[i] = i;
            }
            // The sort is stable: of members with one name the last one stays the last.
            Arrays.sort(order, (a, b) -> compare(starts[a], starts[b]));
            int at = first;
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int from = starts[order[i]];
                if (i + 1 < count && same(members, from - first, starts[order[i + 1]] - first)) {
                    repeated = Json.name(members, from - first);
                    continue;
                }
                int to = order[i] + 1 < count ? starts[order[i] + 1] : length;
                System.arraycopy(members, from - first, bytes, at, to - from);
                at += to - from;
                kept++;
            }
            length = at;
            count = kept;
            return true;
        }

        private static boolean same(byte[] members, int a, int b) {
            int end = Json.endOfString(members, a);
            int other = Json.endOfString(members, b);
            return Arrays.equals(members, a, end, members, b, other);
        }

        /// Order of the names that begin at `a` and `b`.
        private int compare(int a, int b) {
            int endA = Json.endOfString(bytes, a);
            int endB = Json.endOfString(bytes, b);
            return endA - a != endB - b
                    ? Integer.compare(endA - a, endB - b)
                    : Arrays.compareUnsigned(bytes, a, endA, bytes, b, endB);
        }
    }
}
