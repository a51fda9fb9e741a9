package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Function;

/// The functions of angles in degrees, exact at multiples of 30 and 45 as in PostgreSQL, and the inverse
/// hyperbolic ones.
final class DegreeLibrary {
    private static final double SIN_30 = Math.sin(Math.toRadians(30));
    private static final double ONE_MINUS_COS_60 = 1 - Math.cos(Math.toRadians(60));
    private static final double ASIN_HALF = Math.asin(0.5);
    private static final double ACOS_HALF = Math.acos(0.5);
    private static final double ATAN_1 = Math.atan(1);
    private static final double TAN_45 = sineFirst(45) / cosineFirst(45);
    private static final double COT_45 = cosineFirst(45) / sineFirst(45);

    /// Bound above which x * x + 1 equals x * x in a double, for the logarithm of an inverse function.
    private static final double LARGE = 1L << 28;

    private DegreeLibrary() {}

    static double asinh(double x) {
        double size = Math.abs(x);
        if (size == 0 || Double.isNaN(x) || Double.isInfinite(x)) {
            return x;
        }
        double value =
                size > LARGE
                        ? Math.log(size) + Math.log(2)
                        : Math.log1p(size + size * size / (1 + Math.sqrt(size * size + 1)));
        return Math.copySign(value, x);
    }

    static double acosh(double x) {
        if (x > LARGE) {
            return Math.log(x) + Math.log(2);
        }
        double above = x - 1;
        return Math.log1p(above + Math.sqrt(2 * above + above * above));
    }

    static double atanh(double x) {
        return Math.abs(x) == 1
                ? Math.copySign(Double.POSITIVE_INFINITY, x)
                : Math.copySign(0.5 * Math.log1p(2 * Math.abs(x) / (1 - Math.abs(x))), x);
    }

    static double of(Function function, double x, double y) {
        return switch (function) {
            case SIND -> sine(x);
            case COSD -> cosine(x);
            case TAND -> tangent(x);
            case COTD -> cotangent(x);
            case ASIND -> x >= 0 ? arcSine(x) : -arcSine(-x);
            case ACOSD -> x >= 0 ? arcCosine(x) : 90 + arcSine(-x);
            case ATAND -> Math.atan(x) / ATAN_1 * 45;
            case ATAN2D -> Math.atan2(x, y) / ATAN_1 * 45;
            default -> throw new IllegalStateException(function + " is of no degrees");
        };
    }

    private static double sineTo30(double x) {
        return Math.sin(Math.toRadians(x)) / SIN_30 / 2;
    }

    private static double cosineTo60(double x) {
        return 1 - (1 - Math.cos(Math.toRadians(x))) / ONE_MINUS_COS_60 / 2;
    }

    private static double sineFirst(double x) {
        return x <= 30 ? sineTo30(x) : cosineTo60(90 - x);
    }

    private static double cosineFirst(double x) {
        return x <= 60 ? cosineTo60(x) : sineTo30(90 - x);
    }

    private static double sine(double x) {
        double angle = x % 360;
        int sign = angle < 0 ? -1 : 1;
        angle = Math.abs(angle);
        if (angle > 180) {
            angle = 360 - angle;
            sign = -sign;
        }
        return sign * sineFirst(angle > 90 ? 180 - angle : angle);
    }

    private static double cosine(double x) {
        double angle = Math.abs(x % 360);
        angle = angle > 180 ? 360 - angle : angle;
        return angle > 90 ? -cosineFirst(180 - angle) : cosineFirst(angle);
    }

    private static double tangent(double x) {
        double[] reduced = reduced(x);
        double value = reduced[1] * (sineFirst(reduced[0]) / cosineFirst(reduced[0]) / TAN_45);
        return value == 0 ? 0 : value;
    }

    private static double cotangent(double x) {
        double[] reduced = reduced(x);
        double value = reduced[1] * (cosineFirst(reduced[0]) / sineFirst(reduced[0]) / COT_45);
        return value == 0 ? 0 : value;
    }

    /// The angle reduced to the first quadrant, and a sign.
    private static double[] reduced(double x) {
        double angle = x % 360;
        double sign = angle < 0 ? -1 : 1;
        angle = Math.abs(angle);
        if (angle > 180) {
            angle = 360 - angle;
            sign = -sign;
        }
        return angle > 90 ? new double[] {180 - angle, -sign} : new double[] {angle, sign};
    }

    private static double arcSine(double x) {
        return x <= 0.5 ? Math.asin(x) / ASIN_HALF * 30 : 90 - Math.acos(x) / ACOS_HALF * 60;
    }

    private static double arcCosine(double x) {
        return x <= 0.5 ? 90 - Math.asin(x) / ASIN_HALF * 30 : Math.acos(x) / ACOS_HALF * 60;
    }
}
