package dev.oriel.table.value;

import java.math.BigDecimal;

/// Decimals as longs: their digits without the point, if all have one scale.
public final class DecimalDigits {
    /// Greatest number of digits that always fits in a long.
    public static final int DIGITS_MAX = 18;

    private static final long[] POWERS = new long[DIGITS_MAX + 1];

    static {
        POWERS[0] = 1;
        for (int i = 1; i <= DIGITS_MAX; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private DecimalDigits() {}

    /// The digits of `value`, if it has this scale and the digits fit; else [Row#NO_DIGITS].
    public static long of(BigDecimal value, int scale) {
        return value.scale() == scale && value.precision() <= DIGITS_MAX
                ? value.unscaledValue().longValue()
                : Row.NO_DIGITS;
    }

    /// Whether there are at most `most` digits, 0 to 18.
    public static boolean fit(long digits, int most) {
        return Math.abs(digits) < POWERS[most];
    }

    /// Rescales `digits` by `more` fraction digits, 0 to 18; [Row#NO_DIGITS] on overflow.
    public static long widened(long digits, int more) {
        return product(digits, POWERS[more]);
    }

    /// The product; [Row#NO_DIGITS] if it does not fit.
    public static long product(long a, long b) {
        long low = a * b;
        return Math.multiplyHigh(a, b) == low >> 63 ? low : Row.NO_DIGITS;
    }

    /// The sum; [Row#NO_DIGITS] if it does not fit.
    public static long sum(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? Row.NO_DIGITS : sum;
    }
}
