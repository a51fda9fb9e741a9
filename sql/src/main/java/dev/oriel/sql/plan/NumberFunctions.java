package dev.oriel.sql.plan;

import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bodies of the functions of numbers. Functions of doubles need not test for NULL: they compute a result from
/// the 0 that represents it.
public final class NumberFunctions {
    private static final int ROUND_DIGITS_MAX = 2_000;

    private NumberFunctions() {}

    public static long abs(List<Scalar> arguments, Frame frame, Type type, Place place) {
        long value = arguments.get(0).evalLong(frame);
        if (value == Long.MIN_VALUE) {
            throw Integers.outOfRange(type, place);
        }
        return Integers.checked(Math.abs(value), type, place);
    }

    public static double absDouble(List<Scalar> arguments, Frame frame) {
        return Math.abs(arguments.get(0).evalDouble(frame));
    }

    public static @Nullable BigDecimal absDecimal(List<Scalar> arguments, Frame frame) {
        BigDecimal value = arguments.get(0).evalDecimal(frame);
        return value == null ? null : value.abs();
    }

    public static long sign(List<Scalar> arguments, Frame frame) {
        return Long.signum(arguments.get(0).evalLong(frame));
    }

    public static double signDouble(List<Scalar> arguments, Frame frame) {
        return Math.signum(arguments.get(0).evalDouble(frame));
    }

    public static @Nullable BigDecimal signDecimal(List<Scalar> arguments, Frame frame) {
        BigDecimal value = arguments.get(0).evalDecimal(frame);
        return value == null || NonFinite.isNaN(value) ? value : BigDecimal.valueOf(value.signum());
    }

    public static double round(List<Scalar> arguments, Frame frame) {
        return Math.rint(arguments.get(0).evalDouble(frame));
    }

    public static double floor(List<Scalar> arguments, Frame frame) {
        return Math.floor(arguments.get(0).evalDouble(frame));
    }

    public static double ceil(List<Scalar> arguments, Frame frame) {
        return Math.ceil(arguments.get(0).evalDouble(frame));
    }

    public static @Nullable BigDecimal whole(
            List<Scalar> arguments, Frame frame, RoundingMode mode) {
        BigDecimal value = arguments.get(0).evalDecimal(frame);
        return value == null || NonFinite.is(value) ? value : value.setScale(0, mode);
    }

    /// Rounds to a number of digits after the point, or before it if the number is negative.
    public static @Nullable BigDecimal roundTo(List<Scalar> arguments, Frame frame) {
        BigDecimal value = arguments.get(0).evalDecimal(frame);
        long digits = value == null ? 0 : arguments.get(1).evalLong(frame);
        if (value == null || frame.isNull) {
            return null;
        }
        if (NonFinite.is(value)) {
            return value;
        }
        int scale = Math.clamp(digits, -ROUND_DIGITS_MAX, ROUND_DIGITS_MAX);
        BigDecimal result = value.setScale(scale, RoundingMode.HALF_UP);
        return scale < 0 ? result.setScale(0) : result;
    }
}
