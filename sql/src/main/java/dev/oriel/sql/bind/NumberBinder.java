package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/// Binds the functions of numbers whose result has the type of what they are given.
final class NumberBinder {
    private final ScalarBinder scalars;

    NumberBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Type expected, Place place) {
        if (function == Function.TRUNC) {
            return truncated(call, expected, place);
        }
        List<Scalar> arguments =
                scalars.unified(call.arguments(), function.name(), call.position(), Typing.BIGINT);
        Type type = ScalarBinder.common(arguments);
        boolean integers = Typing.isInteger(type);
        if (!integers && !(function == Function.DIV && type.shape() == Type.Shape.DECIMAL)) {
            throw place.error(Kind.TYPE_MISMATCH, function + " needs integers, this is " + type);
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

    private static BigDecimal divided(BigDecimal a, BigDecimal b, Place place) {
        if (b.signum() == 0) {
            throw place.error(Kind.DIVISION_BY_ZERO, "Division by zero");
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

    private Scalar truncated(Expression.Call call, Type expected, Place place) {
        Expression argument = call.arguments().getFirst();
        Scalar value =
                scalars.bind(
                        argument,
                        Typing.isNumber(expected) ? Typing.plain(expected) : Typing.BIGINT);
        if (!Typing.isNumber(value.type())) {
            throw place.error(Kind.TYPE_MISMATCH, "TRUNC needs a number, this is " + value.type());
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
                    Kind.TYPE_MISMATCH, "TRUNC counts digits in integers, not " + digits.type());
        }
        return StrictCall.of(
                Function.TRUNC,
                List.of(decimal, digits),
                Typing.DECIMAL,
                (values, at) -> {
                    int scale = Math.clamp((Long) values[1], -2_000, 2_000);
                    BigDecimal cut = ((BigDecimal) values[0]).setScale(scale, RoundingMode.DOWN);
                    return cut.scale() < 0 ? cut.setScale(0) : cut;
                },
                place);
    }
}
