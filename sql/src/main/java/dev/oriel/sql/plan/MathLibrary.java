package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Typing;

/// The functions of doubles.
public final class MathLibrary {
    private static final double RADIANS_OF_A_DEGREE = 0.017453292519943295;

    private MathLibrary() {}

    public static StrictCall.Body body(Function function) {
        return (values, place) -> {
            double x = values.length > 0 ? (Double) values[0] : 0;
            double y = values.length > 1 ? (Double) values[1] : 0;
            double value = computed(function, values.length, x, y, place);
            boolean finite = Double.isFinite(x) && Double.isFinite(y);
            boolean ofZero = function == Function.POWER && x == 0 && y < 0;
            if (finite && (Double.isNaN(value) || ofZero)) {
                boolean power = function == Function.POWER || function == Function.SQRT;
                throw place.error(
                        power ? Kind.POWER : Kind.OUT_OF_RANGE,
                        function + " has no value for this argument");
            } else if (finite && Double.isInfinite(value) && !reachesInfinity(function)) {
                throw Integers.outOfRange(Typing.DOUBLE, place);
            }
            return value;
        };
    }

    /// Whether infinity is a regular result for some arguments, rather than an overflow.
    private static boolean reachesInfinity(Function function) {
        return function == Function.ATANH || function == Function.TAND || function == Function.COTD;
    }

    private static double computed(Function function, int count, double x, double y, Place place) {
        return switch (function) {
            case POWER -> power(x, y);
            case SQRT -> Math.sqrt(x);
            case CBRT -> Math.cbrt(x);
            case EXP -> Math.exp(x);
            case LN -> Math.log(positive(function, x, place));
            case LOG10 -> Math.log10(positive(function, x, place));
            case LOG ->
                    count == 1
                            ? Math.log10(positive(function, x, place))
                            : logarithm(positive(function, x, place), positive(function, y, place));
            case PI -> Math.PI;
            case SIN -> Math.sin(x);
            case COS -> Math.cos(x);
            case TAN -> Math.tan(x);
            case COT -> 1 / Math.tan(x);
            case ASIN -> Math.asin(x);
            case ACOS -> Math.acos(x);
            case ATAN -> Math.atan(x);
            case ATAN2 -> Math.atan2(x, y);
            case DEGREES -> x / RADIANS_OF_A_DEGREE;
            case RADIANS -> x * RADIANS_OF_A_DEGREE;
            case SINH -> Math.sinh(x);
            case COSH -> Math.cosh(x);
            case TANH -> Math.tanh(x);
            case ASINH -> DegreeLibrary.asinh(x);
            case ACOSH -> DegreeLibrary.acosh(x);
            case ATANH -> DegreeLibrary.atanh(x);
            case SIND, COSD, TAND, COTD, ASIND, ACOSD, ATAND, ATAN2D ->
                    DegreeLibrary.of(function, x, y);
            default -> throw new IllegalStateException(function + " is of no doubles");
        };
    }

    /// As in IEEE 754, and unlike Java: 1 to any power is 1, and so is -1 to an infinite power.
    static double power(double x, double y) {
        return x == 1 || (x == -1 && Double.isInfinite(y)) ? 1 : Math.pow(x, y);
    }

    /// The quotient of two rounded values may lie next to the exact whole number.
    private static double logarithm(double base, double value) {
        double quotient = Math.log(value) / Math.log(base);
        double whole = Math.rint(quotient);
        return Math.pow(base, whole) == value ? whole : quotient;
    }

    private static double positive(Function function, double value, Place place) {
        if (value <= 0) {
            throw place.error(Kind.LOGARITHM, function + " needs a number greater than 0");
        }
        return value;
    }
}
