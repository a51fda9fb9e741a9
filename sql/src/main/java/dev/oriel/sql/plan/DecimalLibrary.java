package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Typing;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/// Roots, powers and logarithms of decimals, with as many digits as PostgreSQL gives: at least 16 significant
/// ones, or as many after the point as the arguments have. All digits are right; the last is rounded half away
/// from zero.
public final class DecimalLibrary {
    private static final int DIGITS_MIN = 16;
    private static final int SCALE_MAX = 1_000;

    /// Maximum number of digits before the point in a result.
    private static final int WHOLE_MAX = 131_072;

    /// Number of digits computed beyond the digits of the result.
    private static final int GUARD = 8;

    /// The greatest number whose factorial has at most [#WHOLE_MAX] digits.
    private static final long FACTORIAL_MAX = 32_177;

    private static final double LOG10_E = 0.434_294_481_903_251_8;

    private DecimalLibrary() {}

    public static StrictCall.Body body(Function function) {
        return (values, place) -> {
            BigDecimal x = (BigDecimal) values[0];
            BigDecimal y = values.length > 1 ? (BigDecimal) values[1] : BigDecimal.ZERO;
            if (Decimals.areNonFinite(x, y)) {
                return NonFiniteLibrary.of(function, values.length, x, y, place);
            }
            return switch (function) {
                case SQRT -> root(x, place);
                case EXP -> exponential(x, place);
                case LN -> naturalLogarithm(positive(function, x, place));
                case LOG10 -> logarithm(BigDecimal.TEN, positive(function, x, place), place);
                case LOG ->
                        values.length == 1
                                ? logarithm(BigDecimal.TEN, positive(function, x, place), place)
                                : logarithm(
                                        positive(function, x, place),
                                        positive(function, y, place),
                                        place);
                case POWER -> power(x, y, place);
                default -> throw new IllegalStateException(function + " is of no decimals");
            };
        };
    }

    /// The product of the numbers from 1 to `count`.
    public static BigDecimal factorial(long count, Place place) {
        if (count < 0) {
            throw place.error(Kind.OUT_OF_RANGE, "FACTORIAL needs a non-negative number");
        }
        if (count > FACTORIAL_MAX) {
            throw Integers.outOfRange(Typing.DECIMAL, place);
        }
        BigInteger product = BigInteger.ONE;
        for (long factor = 2; factor <= count; factor++) {
            Cancellation.pollRunning();
            product = product.multiply(BigInteger.valueOf(factor));
        }
        return new BigDecimal(product);
    }

    static BigDecimal positive(Function function, BigDecimal value, Place place) {
        if (value.signum() <= 0) {
            throw place.error(Kind.LOGARITHM, function + " needs a number greater than 0");
        }
        return value;
    }

    static SqlException undefined(Function function, Place place) {
        return place.error(Kind.POWER, function + " has no value for this argument");
    }

    /// Number of digits after the point in a result with `whole` digits before it; a negative `whole` counts zeros
    /// after it.
    private static int scale(int whole, BigDecimal x, BigDecimal y) {
        int scale = Math.max(DIGITS_MIN - whole, Math.max(x.scale(), y.scale()));
        return Math.clamp(scale, 0, SCALE_MAX);
    }

    private static BigDecimal root(BigDecimal x, Place place) {
        if (x.signum() < 0) {
            throw undefined(Function.SQRT, place);
        }
        int whole = x.signum() == 0 ? 1 : Decimals.group(x) * Decimals.GROUP_DIGITS / 2 + 1;
        int scale = scale(whole, x, x);
        // The root of x * 100^scale, rounded by its digits after the point.
        BigInteger above = x.scaleByPowerOfTen(2 * scale).toBigInteger();
        BigInteger down = above.sqrt();
        BigDecimal half = new BigDecimal(down).add(new BigDecimal("0.5"));
        boolean up = half.multiply(half).compareTo(x.scaleByPowerOfTen(2 * scale)) <= 0;
        return new BigDecimal(up ? down.add(BigInteger.ONE) : down, scale);
    }

    private static BigDecimal exponential(BigDecimal x, Place place) {
        double digits = x.doubleValue() * LOG10_E;
        check(digits, place);
        int scale = scale((int) Math.clamp(digits, -2.0 * SCALE_MAX, WHOLE_MAX), x, x);
        return digits < -scale - 1
                ? BigDecimal.ZERO.setScale(scale)
                : exponential(x, digits, scale);
    }

    private static void check(double digits, Place place) {
        if (digits > WHOLE_MAX) {
            throw Integers.outOfRange(Typing.DECIMAL, place);
        }
    }

    private static BigDecimal exponential(BigDecimal x, double digits, int scale) {
        int precision = (int) Math.max(digits, 0) + scale + GUARD;
        return exponential(x, precision).setScale(scale, RoundingMode.HALF_UP);
    }

    /// e^x to `precision` significant digits: Taylor's series of x / 2^k, squared k times.
    private static BigDecimal exponential(BigDecimal x, int precision) {
        int halvings = Math.max(0, x.precision() - x.scale()) * 4 + 8;
        MathContext mc = new MathContext(precision + halvings / 3 + GUARD);
        BigDecimal small = x.divide(new BigDecimal(BigInteger.TWO.pow(halvings)), mc);
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal term = BigDecimal.ONE;
        BigDecimal least = BigDecimal.ONE.movePointLeft(mc.getPrecision());
        for (int i = 1; term.abs().compareTo(least) > 0; i++) {
            Cancellation.pollRunning();
            term = term.multiply(small, mc).divide(BigDecimal.valueOf(i), mc);
            sum = sum.add(term, mc);
        }
        for (int i = 0; i < halvings; i++) {
            Cancellation.pollRunning();
            sum = sum.multiply(sum, mc);
        }
        return sum;
    }

    private static BigDecimal naturalLogarithm(BigDecimal x) {
        int scale = scale(wholeOfLogarithm(x), x, x);
        return naturalLogarithm(x, scale + GUARD).setScale(scale, RoundingMode.HALF_UP);
    }

    /// ln x with `digits` digits after the point: Halley's method over [#exponential], which triples the number of
    /// correct digits with each step.
    private static BigDecimal naturalLogarithm(BigDecimal x, int digits) {
        BigDecimal y = new BigDecimal(roughLogarithm(x));
        for (int right = 14; ; right *= 3) {
            MathContext mc = new MathContext(Math.min(digits, 3 * right) + GUARD + 6);
            BigDecimal power = exponential(y, mc.getPrecision());
            BigDecimal step = x.subtract(power).multiply(BigDecimal.TWO).divide(x.add(power), mc);
            y = y.add(step, new MathContext(digits + GUARD + 6));
            if (right >= digits) {
                return y;
            }
        }
    }

    private static double roughLogarithm(BigDecimal x) {
        BigDecimal above = x.subtract(BigDecimal.ONE);
        if (above.abs().compareTo(new BigDecimal("0.1")) <= 0) {
            return Math.log1p(above.doubleValue());
        }
        int exponent = x.precision() - x.scale();
        return Math.log(x.scaleByPowerOfTen(-exponent).doubleValue()) + exponent / LOG10_E;
    }

    /// Position of the first digit of ln x, as PostgreSQL estimates it.
    private static int wholeOfLogarithm(BigDecimal x) {
        BigDecimal above = x.subtract(BigDecimal.ONE);
        if (above.signum() == 0) {
            return 0;
        }
        if (above.abs().compareTo(new BigDecimal("0.1")) <= 0) {
            return Decimals.group(above) * Decimals.GROUP_DIGITS
                    + (int) Math.log10(Decimals.leadingGroup(above));
        }
        return (int) Math.log10(Math.abs(roughLogarithm(x)));
    }

    private static BigDecimal logarithm(BigDecimal base, BigDecimal x, Place place) {
        if (base.compareTo(BigDecimal.ONE) == 0) {
            throw place.error(Kind.DIVISION_BY_ZERO, "Division by zero");
        }
        int ofBase = wholeOfLogarithm(base);
        int scale = scale(wholeOfLogarithm(x) - ofBase, base, x);
        int digits = scale + GUARD + 2 * Math.max(0, -ofBase) + 8;
        return naturalLogarithm(x, digits)
                .divide(
                        naturalLogarithm(base, digits),
                        new MathContext(scale + WHOLE_DIGITS + GUARD))
                .setScale(scale, RoundingMode.HALF_UP);
    }

    /// Maximum number of digits before the point in a quotient of logarithms.
    private static final int WHOLE_DIGITS = 32;

    private static BigDecimal power(BigDecimal x, BigDecimal y, Place place) {
        boolean whole = y.signum() == 0 || y.stripTrailingZeros().scale() <= 0;
        if ((x.signum() == 0 && y.signum() < 0) || (x.signum() < 0 && !whole)) {
            throw undefined(Function.POWER, place);
        }
        boolean small = whole && y.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
        if (small || x.signum() == 0) {
            int scale = scale(0, x, small ? x : y);
            return power(x, small ? y.intValueExact() : 1, scale, place);
        }
        double digits = y.doubleValue() * roughLogarithm(x.abs()) * LOG10_E;
        check(digits, place);
        int scale = scale((int) Math.clamp(digits, -2.0 * SCALE_MAX, WHOLE_MAX), x, y);
        if (digits < -scale - 1) {
            return BigDecimal.ZERO.setScale(scale);
        }
        int needed = (int) Math.max(digits, 0) + scale + GUARD + y.precision() - y.scale();
        BigDecimal exponent = y.multiply(naturalLogarithm(x.abs(), Math.max(needed, GUARD)));
        BigDecimal power = exponential(exponent, digits, scale);
        boolean odd = x.signum() < 0 && y.toBigInteger().testBit(0);
        return odd ? power.negate() : power;
    }

    private static BigDecimal power(BigDecimal x, int n, int scale, Place place) {
        if (x.signum() == 0) {
            return (n == 0 ? BigDecimal.ONE : BigDecimal.ZERO).setScale(scale);
        }
        double digits = n * (roughLogarithm(x.abs()) * LOG10_E);
        check(digits, place);
        if (digits < -scale - 2) {
            return BigDecimal.ZERO.setScale(scale);
        }
        MathContext mc = new MathContext((int) Math.max(digits, 0) + scale + GUARD + 12);
        BigDecimal power = BigDecimal.ONE;
        BigDecimal square = x;
        for (int left = Math.abs(n); left > 0; left >>= 1) {
            Cancellation.pollRunning();
            power = (left & 1) == 1 ? power.multiply(square, mc) : power;
            square = left > 1 ? square.multiply(square, mc) : square;
        }
        return (n < 0 ? BigDecimal.ONE.divide(power, mc) : power)
                .setScale(scale, RoundingMode.HALF_UP);
    }
}
