package dev.oriel.table.definition;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Values that are no numbers and no days: NaN and the infinities of DECIMAL, and the infinities of DATE and
/// TIMESTAMP. In memory, in rows and in keys they are ordinary values at the ends of their types, so they sort as
/// PostgreSQL sorts them: -Infinity, numbers, Infinity, NaN.
///
/// The exponent of the DECIMALs is far beyond that of any number: [BigDecimal] cannot calculate with them or print
/// them without a memory of gigabytes. Each operation on decimals asks for them first.
public final class NonFinite {
    /// Scale of the DECIMALs that are no numbers.
    private static final int SCALE = -2_000_000_000;

    public static final BigDecimal INFINITY = new BigDecimal(BigInteger.ONE, SCALE);
    public static final BigDecimal NEGATIVE_INFINITY = INFINITY.negate();
    public static final BigDecimal NAN = new BigDecimal(BigInteger.TWO, SCALE);

    /// A DATE after all days, and one before.
    public static final long LAST_DAY = Integer.MAX_VALUE;

    public static final long FIRST_DAY = Integer.MIN_VALUE;

    /// A TIMESTAMP, with a time zone or without, after all others, and one before.
    public static final long LAST_MOMENT = Long.MAX_VALUE;

    public static final long FIRST_MOMENT = Long.MIN_VALUE;

    private NonFinite() {}

    public static boolean is(BigDecimal value) {
        return value.scale() == SCALE;
    }

    public static boolean isNaN(BigDecimal value) {
        return is(value) && value.compareTo(INFINITY) > 0;
    }

    /// Whether `value` is an infinity of `type`, a DATE or TIMESTAMP.
    public static boolean is(long value, Type.Name type) {
        return type == Type.Name.DATE ? isDay(value) : isMoment(value);
    }

    public static boolean isDay(long days) {
        return days == LAST_DAY || days == FIRST_DAY;
    }

    public static boolean isMoment(long micros) {
        return micros == LAST_MOMENT || micros == FIRST_MOMENT;
    }

    /// The DECIMAL for an infinite double or NaN.
    public static BigDecimal of(double value) {
        return Double.isNaN(value) ? NAN : value > 0 ? INFINITY : NEGATIVE_INFINITY;
    }

    /// The double for `value`: a number becomes its sign.
    public static double sign(BigDecimal value) {
        if (!is(value)) {
            return value.signum();
        }
        return isNaN(value)
                ? Double.NaN
                : value.signum() > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    /// The nearest double.
    public static double toDouble(BigDecimal value) {
        return is(value) ? sign(value) : value.doubleValue();
    }

    /// In PostgreSQL's form: all digits of a number, `NaN`, `Infinity` or `-Infinity`.
    public static String text(BigDecimal value) {
        return is(value) ? Double.toString(sign(value)) : value.toPlainString();
    }

    /// The DECIMAL called `text`, in any case; null if it is a number or malformed.
    public static @Nullable BigDecimal of(String text) {
        String name = text.strip();
        boolean signed = name.startsWith("+") || name.startsWith("-");
        String word = signed ? name.substring(1) : name;
        if (word.equalsIgnoreCase("infinity") || word.equalsIgnoreCase("inf")) {
            return name.startsWith("-") ? NEGATIVE_INFINITY : INFINITY;
        }
        return name.equalsIgnoreCase("nan") ? NAN : null;
    }
}
