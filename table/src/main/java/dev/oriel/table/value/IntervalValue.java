package dev.oriel.table.value;

import dev.oriel.store.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A span of time: months and days, whose length depends on the calendar, and microseconds. The unsigned order of
/// its bytes is by length, a month taken as 30 days and a day as 24 hours. Of equally long spans the one with more
/// months is the greater one.
///
/// ```
/// 0              8                    13       17     21
/// | whole days   | microseconds       | months | days |
/// ```
/// Numbers are big-endian; all but the second, which is not negative, have their sign bit flipped.
///
/// @param months years count as 12
/// @param days weeks count as 7
public record IntervalValue(int months, int days, long micros)
        implements Comparable<IntervalValue> {
    /// Bytes of a span.
    public static final int BYTES = 21;

    /// Bytes at its beginning that tell its length.
    public static final int LENGTH_BYTES = 13;

    private static final long DAY_MICROS = 86_400_000_000L;
    private static final long DAYS_A_MONTH = 30;

    /// The bytes of this span.
    public byte[] toBytes() {
        long wholeDays = wholeDays();
        long rest = Math.floorMod(micros, DAY_MICROS);
        return ByteBuffer.allocate(BYTES)
                .putLong(wholeDays ^ Long.MIN_VALUE)
                .put((byte) (rest >>> 32))
                .putInt((int) rest)
                .putInt(months ^ Integer.MIN_VALUE)
                .putInt(days ^ Integer.MIN_VALUE)
                .array();
    }

    private long wholeDays() {
        return months * DAYS_A_MONTH + days + Math.floorDiv(micros, DAY_MICROS);
    }

    /// The span encoded in `bytes` by [#toBytes].
    public static IntervalValue of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new CorruptionException(
                    "An interval has a wrong number of bytes; run check", "bytes=" + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long wholeDays = in.getLong() ^ Long.MIN_VALUE;
        long rest = (long) in.get() << 32 | (in.getInt() & 0xFFFF_FFFFL);
        int months = in.getInt() ^ Integer.MIN_VALUE;
        int days = in.getInt() ^ Integer.MIN_VALUE;
        long clockDays = wholeDays - months * DAYS_A_MONTH - days;
        return new IntervalValue(months, days, clockDays * DAY_MICROS + rest);
    }

    @Override
    public int compareTo(IntervalValue other) {
        return Arrays.compareUnsigned(toBytes(), other.toBytes());
    }

    /// In PostgreSQL's form: `1 year 2 mons -3 days +04:05:06.5`.
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        boolean negative = part(out, months / 12, "year", false);
        negative = part(out, months % 12, "mon", negative);
        negative = part(out, days, "day", negative);
        if (micros == 0 && !out.isEmpty()) {
            return out.toString();
        }
        out.append(out.isEmpty() ? "" : " ").append(micros < 0 ? "-" : negative ? "+" : "");
        // The least long has no absolute value: its parts are taken one by one.
        long seconds = Math.abs(micros / 1_000_000);
        long fraction = Math.abs(micros % 1_000_000);
        out.append("%02d:%02d:%02d".formatted(seconds / 3_600, seconds / 60 % 60, seconds % 60));
        if (fraction != 0) {
            String digits = "%06d".formatted(fraction);
            out.append('.').append(digits.replaceAll("0+$", ""));
        }
        return out.toString();
    }

    /// Appends a part unless it is 0. Returns whether the last appended part was negative.
    private static boolean part(StringBuilder out, int count, String unit, boolean negative) {
        if (count == 0) {
            return negative;
        }
        out.append(out.isEmpty() ? "" : " ").append(negative && count > 0 ? "+" : "").append(count);
        out.append(' ').append(unit).append(count == 1 ? "" : "s");
        return count < 0;
    }
}
