package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.BitShifts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.List;

/// Binds H2's functions that shift, rotate and read the bits of integers and bytes. Unlike the operators `<<` and `>>`,
/// which are PostgreSQL's, they push all bits out if the distance is as long as the value.
final class ShiftBinder {
    private final ScalarBinder scalars;

    ShiftBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        Expression first = call.arguments().getFirst();
        Scalar value = scalars.bind(first, Typing.INTEGER);
        boolean bits = Typing.isBits(value.type());
        if (bits && (function == Function.SHIFT_LEFT || function == Function.SHIFT_RIGHT)) {
            boolean left = function == Function.SHIFT_LEFT;
            return BitBinder.shifted(
                    left ? Function.LSHIFT : Function.RSHIFT, value, distance(call), place);
        }
        boolean bytes = Typing.family(value.type()) == Typing.Family.BYTES;
        if (!bytes && !Typing.isInteger(value.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            first.position(),
                            function.called() + " needs integers or bytes, not " + value.type());
        }
        int width = width(value.type());
        if (function == Function.BITCOUNT) {
            return StrictCall.of(
                    function,
                    List.of(value),
                    Typing.BIGINT,
                    (values, at) -> BitShifts.count(values[0], width),
                    place);
        }
        Type type = function == Function.BITGET ? Typing.BOOLEAN : Typing.plain(value.type());
        return StrictCall.of(
                function,
                List.of(value, distance(call)),
                type,
                (values, at) -> BitShifts.of(function, values[0], (Long) values[1], width),
                place);
    }

    /// BITAND, BITOR, BITXOR and BITNOT of bytes, as in H2.
    static Scalar combined(Function function, List<Scalar> bytes, Place place) {
        switch (function) {
            case BITAND, BITOR, BITXOR, BITNOT -> {}
            default ->
                    throw place.error(
                            Kind.UNKNOWN_FUNCTION,
                            function + " needs integers, not " + bytes.getFirst().type());
        }
        return StrictCall.of(
                function,
                bytes,
                Typing.BYTES,
                (values, at) -> BitShifts.combined(function, values, at),
                place);
    }

    private Scalar distance(Expression.Call call) {
        Expression second = call.arguments().get(1);
        Scalar distance = scalars.bind(second, Typing.INTEGER);
        if (!Typing.isInteger(distance.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            second.position(),
                            "A number of bits must be an integer, not " + distance.type());
        }
        return distance;
    }

    /// Number of bits of an integer; 0 for bytes.
    private static int width(Type type) {
        return switch (type.name()) {
            case TINYINT -> Byte.SIZE;
            case SMALLINT -> Short.SIZE;
            case INTEGER -> Integer.SIZE;
            case BIGINT -> Long.SIZE;
            default -> 0;
        };
    }
}
