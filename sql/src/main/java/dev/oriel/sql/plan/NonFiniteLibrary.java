package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.table.definition.NonFinite;
import java.math.BigDecimal;

/// Roots, powers and logarithms of decimals of which one is NaN or infinite: the results that IEEE 754 has for doubles.
final class NonFiniteLibrary {
    private NonFiniteLibrary() {}

    static BigDecimal of(Function function, int count, BigDecimal x, BigDecimal y, Place place) {
        if (function == Function.POWER) {
            return power(x, y, place);
        }
        if (NonFinite.isNaN(x) || NonFinite.isNaN(y)) {
            return NonFinite.NAN;
        }
        return switch (function) {
            case SQRT -> {
                if (x.signum() < 0) {
                    throw DecimalLibrary.undefined(function, place);
                }
                yield x;
            }
            case EXP -> x.signum() < 0 ? BigDecimal.ZERO : x;
            case LN, LOG10 -> DecimalLibrary.positive(function, x, place);
            case LOG -> {
                DecimalLibrary.positive(function, x, place);
                if (count == 1) {
                    yield x;
                }
                DecimalLibrary.positive(function, y, place);
                // The logarithm of a number below 1 is negative.
                double base = NonFinite.is(x) ? NonFinite.sign(x) : x.compareTo(BigDecimal.ONE);
                double value = NonFinite.is(y) ? NonFinite.sign(y) : y.compareTo(BigDecimal.ONE);
                yield Decimals.ofSign(value / base);
            }
            default -> throw new IllegalStateException(function + " is of no decimals");
        };
    }

    private static BigDecimal power(BigDecimal x, BigDecimal y, Place place) {
        double exponent = NonFinite.is(y) ? NonFinite.sign(y) : exponent(y);
        boolean whole = Double.isInfinite(exponent) || exponent == Math.rint(exponent);
        boolean undefined = x.signum() == 0 ? exponent < 0 : x.signum() < 0 && !whole;
        if (undefined && !NonFinite.isNaN(x) && !NonFinite.isNaN(y)) {
            throw DecimalLibrary.undefined(Function.POWER, place);
        }
        double power = MathLibrary.power(NonFinite.is(x) ? NonFinite.sign(x) : base(x), exponent);
        return power == 1 ? BigDecimal.ONE : Decimals.ofSign(power);
    }

    /// A double of the same sign, on the same side of 1 and -1.
    private static double base(BigDecimal x) {
        int size = x.abs().compareTo(BigDecimal.ONE);
        return x.signum() * (size == 0 ? 1 : size > 0 ? 2 : 0.5);
    }

    /// A double of the same sign that is as even, odd or broken.
    private static double exponent(BigDecimal y) {
        if (y.signum() == 0) {
            return 0;
        }
        if (y.stripTrailingZeros().scale() > 0) {
            return y.signum() * 0.5;
        }
        return y.signum() * (y.toBigInteger().testBit(0) ? 1 : 2);
    }
}
