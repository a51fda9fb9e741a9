package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Buckets;
import dev.oriel.sql.plan.DecimalLibrary;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/// Binds functions of numbers whose result has the type of their argument.
final class NumberBinder {
    private final ScalarBinder scalars;

    NumberBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Type expected, Place place) {
        if (function == Function.TRUNC) {
            return truncated(call, expected, place);
        } else if (function == Function.WIDTH_BUCKET) {
            if (call.arguments().size() == 3) {
                throw place.error(Kind.UNKNOWN_FUNCTION, "WIDTH_BUCKET takes 2 or 4 arguments");
            }
            return call.arguments().size() == 2 ? bucketOfArray(call, place) : bucket(call, place);
        } else if (function == Function.FACTORIAL) {
            Scalar count = integer(call.arguments().getFirst(), function);
            return StrictCall.of(
                    function,
                    List.of(count),
                    Typing.DECIMAL,
                    (values, at) -> DecimalLibrary.factorial((Long) values[0], at),
                    place);
        } else if (function == Function.SCALE
                || function == Function.MIN_SCALE
                || function == Function.TRIM_SCALE) {
            return ofScale(function, call.arguments().getFirst(), place);
        } else if (function == Function.LSHIFT || function == Function.RSHIFT) {
            return shifted(function, call, place);
        } else if (function == Function.BITNOT) {
            return inverted(call, place);
        }
        List<Scalar> arguments =
                scalars.unified(
                        call.arguments(), function.name(), call.position(), OpenType.NUMBER);
        Type type = ScalarBinder.common(arguments);
        if (Typing.isBits(type)) {
            return new BitBinder(scalars).combined(function, arguments, place);
        }
        if (Typing.family(type) == Typing.Family.BYTES) {
            return ShiftBinder.combined(function, arguments, place);
        }
        boolean integers = Typing.isInteger(type);
        if (!integers && !(function == Function.DIV && type.shape() == Type.Shape.DECIMAL)) {
            throw place.error(Kind.UNKNOWN_FUNCTION, function + " needs integers, not " + type);
        }
        return StrictCall.of(
                function,
                arguments,
                type,
                (values, at) ->
                        values[0] instanceof BigDecimal a
                                ? divided(a, (BigDecimal) values[1], at)
                                : (Object)
                                        Integers.checked(
                                                computed(function, values, type, at), type, at),
                place);
    }

    /// As in PostgreSQL the result has the type of the shifted number, and the distance counts modulo its bits (32
    /// at least).
    private Scalar shifted(Function function, Expression.Call call, Place place) {
        Scalar first = scalars.bind(call.arguments().get(0), Typing.INTEGER);
        if (Typing.isBits(first.type())) {
            Scalar by = integer(call.arguments().get(1), function);
            return BitBinder.shifted(function, first, by, place);
        }
        Scalar value = integer(call.arguments().get(0), function);
        Scalar distance = integer(call.arguments().get(1), function);
        Type type = Typing.plain(value.type());
        boolean left = function == Function.LSHIFT;
        return StrictCall.of(
                function,
                List.of(value, distance),
                type,
                (values, at) -> {
                    long bits = (Long) values[0];
                    int by = ((Long) values[1]).intValue();
                    if (type.name() == Type.Name.BIGINT) {
                        return left ? bits << by : bits >> by;
                    }
                    int shifted = left ? (int) bits << by : (int) bits >> by;
                    return switch (type.name()) {
                        case TINYINT -> (long) (byte) shifted;
                        case SMALLINT -> (long) (short) shifted;
                        default -> (long) shifted;
                    };
                },
                place);
    }

    private Scalar inverted(Expression.Call call, Place place) {
        Expression argument = call.arguments().getFirst();
        Scalar bits = scalars.bind(argument, Typing.INTEGER);
        if (Typing.isBits(bits.type())) {
            return BitBinder.inverted(bits, place);
        }
        if (Typing.family(bits.type()) == Typing.Family.BYTES) {
            return ShiftBinder.combined(Function.BITNOT, List.of(bits), place);
        }
        Scalar value = integer(bits, argument, Function.BITNOT);
        return StrictCall.of(
                Function.BITNOT,
                List.of(value),
                Typing.plain(value.type()),
                (values, at) -> ~(Long) values[0],
                place);
    }

    private Scalar integer(Expression expression, Function function) {
        return integer(scalars.bind(expression, Typing.INTEGER), expression, function);
    }

    private Scalar integer(Scalar bound, Expression expression, Function function) {
        if (!Typing.isInteger(bound.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            expression.position(),
                            function + " needs integers, not " + bound.type());
        }
        return bound;
    }

    /// WIDTH_BUCKET: index, from 1, of the part of equal width that contains a number. It is 0 before the first
    /// part, and the count plus one after the last.
    private Scalar bucket(Expression.Call call, Place place) {
        List<Scalar> given =
                scalars.unified(
                        call.arguments().subList(0, 3),
                        "WIDTH_BUCKET",
                        call.position(),
                        Typing.DOUBLE);
        Type common = ScalarBinder.common(given);
        if (!Typing.isNumber(common)) {
            throw place.error(Kind.UNKNOWN_FUNCTION, "WIDTH_BUCKET needs numbers, not " + common);
        }
        boolean binary = common.shape() == Type.Shape.DOUBLE;
        Type type = binary ? Typing.DOUBLE : Typing.DECIMAL;
        List<Scalar> arguments = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            arguments.add(
                    scalars.converted(given.get(i), type, call.arguments().get(i).position()));
        }
        arguments.add(integer(call.arguments().get(3), Function.WIDTH_BUCKET));
        return StrictCall.of(
                Function.WIDTH_BUCKET,
                List.copyOf(arguments),
                Typing.INTEGER,
                (values, at) ->
                        binary ? Buckets.ofDoubles(values, at) : Buckets.ofDecimals(values, at),
                place);
    }

    /// WIDTH_BUCKET of an array: number of ascending elements that are not greater.
    private Scalar bucketOfArray(Expression.Call call, Place place) {
        Expression first = call.arguments().get(0);
        Expression second = call.arguments().get(1);
        Scalar value = scalars.bind(first, OpenType.TEXT);
        Scalar array = scalars.bind(second, Type.array(Typing.plain(value.type())));
        if (array.type().element() == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION, "WIDTH_BUCKET needs an array, not " + array.type());
        }
        if (ScalarBinder.untyped(first)) {
            value = scalars.bind(first, Typing.element(array.type()));
        }
        Type common = Typing.common(value.type(), Typing.element(array.type()));
        if (common == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "The value is of type "
                            + value.type()
                            + ", but the array's elements are of type "
                            + Typing.element(array.type()));
        }
        Type element = Typing.plain(common);
        return JsonBinder.made(
                Function.WIDTH_BUCKET,
                List.of(
                        scalars.converted(value, element, first.position()),
                        scalars.converted(array, Type.array(element), second.position())),
                Typing.INTEGER,
                (given, frame) -> {
                    Tuple sought = new Tuple(1);
                    given.get(0).store(sought, 0, frame);
                    byte[] bounds = given.get(1).evalBytes(frame);
                    return bounds == null || sought.isNull(0)
                            ? null
                            : (Object) Buckets.ofArray(sought, bounds, element, place);
                });
    }

    private Scalar ofScale(Function function, Expression argument, Place place) {
        Scalar number = scalars.bind(argument, Typing.DECIMAL);
        boolean exact =
                Typing.isNumber(number.type()) && number.type().shape() != Type.Shape.DOUBLE;
        if (!exact) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION, function + " needs a DECIMAL, not " + number.type());
        }
        Scalar decimal = scalars.converted(number, Typing.DECIMAL, argument.position());
        return StrictCall.of(
                function,
                List.of(decimal),
                function == Function.TRIM_SCALE ? Typing.DECIMAL : Typing.INTEGER,
                (values, at) -> {
                    BigDecimal value = (BigDecimal) values[0];
                    if (NonFinite.is(value)) {
                        return function == Function.TRIM_SCALE ? value : null;
                    }
                    BigDecimal least =
                            function == Function.SCALE || value.scale() <= 0
                                    ? value
                                    : value.stripTrailingZeros();
                    least = least.scale() < 0 ? least.setScale(0) : least;
                    return function == Function.TRIM_SCALE ? least : (Object) (long) least.scale();
                },
                place);
    }

    private static BigDecimal divided(BigDecimal a, BigDecimal b, Place place) {
        if (NonFinite.isNaN(a)) {
            return a;
        }
        if (b.signum() == 0) {
            throw place.error(Kind.DIVISION_BY_ZERO, "Division by zero");
        }
        if (Decimals.areNonFinite(a, b)) {
            return Decimals.divide(a, b);
        }
        return a.divideToIntegralValue(b).setScale(0, RoundingMode.DOWN);
    }

    private static long computed(Function function, Object[] values, Type type, Place place) {
        long a = (Long) values[0];
        long b = (Long) values[1];
        return switch (function) {
            case BITAND -> a & b;
            case BITOR -> a | b;
            case BITXOR -> a ^ b;
            case DIV -> {
                if (b == 0) {
                    throw place.error(Kind.DIVISION_BY_ZERO, "Division by zero");
                }
                if (a == Long.MIN_VALUE && b == -1) {
                    throw Integers.outOfRange(type, place);
                }
                yield a / b;
            }
            case GCD -> fitting(BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)), type, place);
            case LCM -> {
                BigInteger first = BigInteger.valueOf(a);
                BigInteger second = BigInteger.valueOf(b);
                BigInteger divisor = first.gcd(second);
                yield divisor.signum() == 0
                        ? 0
                        : fitting(first.multiply(second).abs().divide(divisor), type, place);
            }
            default -> throw new IllegalStateException(function + " is of no two integers");
        };
    }

    private static long fitting(BigInteger value, Type type, Place place) {
        if (value.bitLength() > 63) {
            throw Integers.outOfRange(type, place);
        }
        return value.longValueExact();
    }

    /// TRUNC of a moment, as in Oracle and H2: the midnight at which its day begins.
    private Scalar truncatedDay(Expression.Call call, Scalar value) {
        if (value.type().name() == Type.Name.DATE) {
            return value;
        }
        Expression day =
                new Expression.Literal(call.position(), Expression.Literal.Kind.STRING, "day");
        return scalars.bind(
                new Expression.Call(
                        call.position(),
                        Function.DATE_TRUNC.called(),
                        List.of(day, call.arguments().getFirst())));
    }

    private Scalar truncated(Expression.Call call, Type expected, Place place) {
        Expression argument = call.arguments().getFirst();
        Scalar value =
                scalars.bind(
                        argument,
                        Typing.isNumber(expected) ? Typing.plain(expected) : OpenType.NUMBER);
        if (Typing.family(value.type()) == Typing.Family.DATE && call.arguments().size() == 1) {
            return truncatedDay(call, value);
        }
        if (!Typing.isNumber(value.type())) {
            throw place.error(Kind.UNKNOWN_FUNCTION, "TRUNC needs a number, not " + value.type());
        }
        if (call.arguments().size() == 1 && value.type().shape() == Type.Shape.DOUBLE) {
            return StrictCall.of(
                    Function.TRUNC,
                    List.of(value),
                    Typing.plain(value.type()),
                    (values, at) -> {
                        double number = (Double) values[0];
                        return number < 0 ? Math.ceil(number) : Math.floor(number);
                    },
                    place);
        }
        Scalar decimal = scalars.converted(value, Typing.DECIMAL, argument.position());
        Scalar digits =
                call.arguments().size() == 1
                        ? Scalar.Constant.of(Typing.INTEGER, 0L)
                        : scalars.bind(call.arguments().get(1), Typing.INTEGER);
        if (!Typing.isInteger(digits.type())) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION, "TRUNC counts digits in integers, not " + digits.type());
        }
        return StrictCall.of(
                Function.TRUNC,
                List.of(decimal, digits),
                Typing.DECIMAL,
                (values, at) -> {
                    BigDecimal whole = (BigDecimal) values[0];
                    if (NonFinite.is(whole)) {
                        return whole;
                    }
                    int scale = Math.clamp((Long) values[1], -2_000, 2_000);
                    BigDecimal cut = whole.setScale(scale, RoundingMode.DOWN);
                    return cut.scale() < 0 ? cut.setScale(0) : cut;
                },
                place);
    }
}
