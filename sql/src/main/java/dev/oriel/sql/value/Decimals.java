package dev.oriel.sql.value;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// Rules for decimals that [BigDecimal] leaves open, chosen as in PostgreSQL.
public final class Decimals {
    /// Minimum number of digits of a quotient.
    private static final int QUOTIENT_DIGITS = 16;

    /// Number of digits in one of PostgreSQL's groups.
    public static final int GROUP_DIGITS = 4;

    private static final int SCALE_MAX = 1_000;

    /// Maximum number of digits of a result, before and after the point.
    private static final int DIGITS_MAX = 131_072 + 16_383;

    private Decimals() {}

    /// `a / b` with at least 16 significant digits and at least the scale of both, rounded half away from zero. The
    /// scale depends on the magnitudes, as in PostgreSQL, so that results print alike.
    public static BigDecimal divide(BigDecimal a, BigDecimal b) {
        if (areNonFinite(a, b)) {
            return ofSign(NonFinite.sign(a) / NonFinite.sign(b));
        }
        int groups = group(a) - group(b);
        if (leadingGroup(a) <= leadingGroup(b)) {
            groups--;
        }
        int scale = QUOTIENT_DIGITS - groups * GROUP_DIGITS;
        scale = Math.max(scale, Math.max(Math.max(a.scale(), b.scale()), 0));
        return a.divide(b, Math.min(scale, SCALE_MAX), RoundingMode.HALF_UP);
    }

    /// Whether `a` or `b` is NaN or infinite, so that [BigDecimal] cannot calculate with them.
    public static boolean areNonFinite(BigDecimal a, BigDecimal b) {
        return NonFinite.is(a) || NonFinite.is(b);
    }

    /// The DECIMAL of a result that was computed with signs ([NonFinite#sign]): NaN, an infinity or 0.
    public static BigDecimal ofSign(double result) {
        return Double.isFinite(result) ? BigDecimal.ZERO : NonFinite.of(result);
    }

    public static BigDecimal sum(BigDecimal a, BigDecimal b) {
        return areNonFinite(a, b) ? ofSign(NonFinite.sign(a) + NonFinite.sign(b)) : a.add(b);
    }

    public static BigDecimal difference(BigDecimal a, BigDecimal b) {
        return areNonFinite(a, b) ? ofSign(NonFinite.sign(a) - NonFinite.sign(b)) : a.subtract(b);
    }

    public static BigDecimal product(BigDecimal a, BigDecimal b) {
        return areNonFinite(a, b) ? ofSign(NonFinite.sign(a) * NonFinite.sign(b)) : a.multiply(b);
    }

    /// `value`, after a check of its number of digits.
    public static BigDecimal checked(BigDecimal value, Place place) {
        if (NonFinite.is(value)) {
            return value;
        }
        if (value.precision() > DIGITS_MAX || value.scale() > DIGITS_MAX) {
            throw Integers.outOfRange(Type.of(Type.Name.DECIMAL), place);
        }
        return value.scale() < 0 ? value.setScale(0) : value;
    }

    /// `value` rounded to the scale of `type`; an error if it does not fit the precision.
    public static BigDecimal fit(BigDecimal value, Type type, Place place) {
        BigDecimal fitted = fitted(value, type);
        if (fitted == null) {
            throw overflow(type, place);
        }
        return fitted;
    }

    /// `value` rounded to the scale of `type`; null if it does not fit the precision.
    public static @Nullable BigDecimal fitted(BigDecimal value, Type type) {
        if (NonFinite.is(value)) {
            return type.length() == 0 || NonFinite.isNaN(value) ? value : null;
        }
        if (type.length() == 0) {
            return value.scale() < 0 ? value.setScale(0) : value;
        }
        if (value.precision() - (long) value.scale() > type.length() - type.scale()
                && value.signum() != 0) {
            return null;
        }
        BigDecimal fitted =
                value.scale() == type.scale()
                        ? value
                        : value.setScale(type.scale(), RoundingMode.HALF_UP);
        return fitted.precision() > type.length() ? null : fitted;
    }

    private static SqlException overflow(Type type, Place place) {
        return place.error(Kind.OUT_OF_RANGE, "The value has too many digits for " + type);
    }

    /// `value` as a decimal: the shortest digits that identify this double.
    public static BigDecimal of(double value) {
        if (!Double.isFinite(value)) {
            return NonFinite.of(value);
        }
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        return exact.scale() < 0 ? exact.setScale(0) : exact;
    }

    /// Index of the group of digits with the first nonzero digit; the group before the point is 0.
    public static int group(BigDecimal value) {
        return value.signum() == 0
                ? 0
                : Math.floorDiv(value.precision() - value.scale() - 1, GROUP_DIGITS);
    }

    /// The value of that group.
    public static int leadingGroup(BigDecimal value) {
        if (value.signum() == 0) {
            return 0;
        }
        return value.abs()
                .movePointLeft(group(value) * GROUP_DIGITS)
                .setScale(0, RoundingMode.DOWN)
                .intValueExact();
    }
}
