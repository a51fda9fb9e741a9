package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.BitText;
import dev.oriel.sql.value.Typing;
import java.util.ArrayList;
import java.util.List;

/// Binds operators and functions of bit strings. Those that texts have too are applied to the text of the bits.
final class BitBinder {
    private final ScalarBinder scalars;

    BitBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// `&`, `|` and `#`.
    Scalar combined(Function function, List<Scalar> arguments, Place place) {
        char operator =
                switch (function) {
                    case BITAND -> '&';
                    case BITOR -> '|';
                    case BITXOR -> '#';
                    default ->
                            throw place.error(
                                    Kind.UNKNOWN_FUNCTION,
                                    function
                                            + " takes no bit strings; cast them to integers or bytes");
                };
        return StrictCall.of(
                function,
                arguments,
                Typing.BITS,
                (values, at) ->
                        BitText.combined(operator, (String) values[0], (String) values[1], at),
                place);
    }

    static Scalar shifted(Function function, Scalar bits, Scalar by, Place place) {
        boolean left = function == Function.LSHIFT;
        return StrictCall.of(
                function,
                List.of(bits, by),
                Typing.BITS,
                (values, at) ->
                        BitText.shifted(
                                (String) values[0], left ? (Long) values[1] : -(Long) values[1]),
                place);
    }

    static Scalar inverted(Scalar bits, Place place) {
        return StrictCall.of(
                Function.BITNOT,
                List.of(bits),
                Typing.BITS,
                (values, at) -> BitText.inverted((String) values[0]),
                place);
    }

    /// LENGTH and its like.
    static Scalar length(Function function, Scalar bits, Place place) {
        return StrictCall.of(
                function,
                List.of(bits),
                Typing.INTEGER,
                (values, at) -> {
                    long length = ((String) values[0]).length();
                    return function == Function.OCTET_LENGTH ? (length + 7) / 8 : length;
                },
                place);
    }

    /// A function whose first argument is `bits`.
    Scalar bound(Function function, Scalar bits, Expression.Call call, Place place) {
        return switch (function) {
            case BIT_LENGTH -> length(function, bits, place);
            case GET_BIT ->
                    StrictCall.of(
                            function,
                            List.of(bits, number(call, 1)),
                            Typing.INTEGER,
                            (values, at) -> BitText.bit((String) values[0], (Long) values[1], at),
                            place);
            case SET_BIT ->
                    StrictCall.of(
                            function,
                            List.of(bits, number(call, 1), number(call, 2)),
                            Typing.BITS,
                            (values, at) ->
                                    BitText.withBit(
                                            (String) values[0],
                                            (Long) values[1],
                                            (Long) values[2],
                                            at),
                            place);
            case BIT_COUNT ->
                    StrictCall.of(
                            function,
                            List.of(bits),
                            Typing.BIGINT,
                            (values, at) ->
                                    ((String) values[0]).chars().filter(c -> c == '1').count(),
                            place);
            case SUBSTRING, OVERLAY ->
                    Folding.fold(new Conversion(ofText(call), Typing.BITS, false, place));
            case POSITION, STRPOS -> position(function, call, place);
            default ->
                    throw place.error(
                            Kind.UNKNOWN_FUNCTION,
                            function + " takes no bit strings; cast them to integers or bytes");
        };
    }

    /// The place of bits in others; in no bits there is none, not even of no bits.
    private Scalar position(Function function, Expression.Call call, Place place) {
        boolean part = function == Function.POSITION;
        Expression whole = call.arguments().get(part ? 1 : 0);
        Expression text = new Expression.Cast(whole.position(), whole, Typing.TEXT);
        Scalar first = scalars.bind(text, Typing.TEXT);
        return StrictCall.of(
                function,
                List.of(ofText(call), first),
                Typing.INTEGER,
                (values, at) -> ((String) values[1]).isEmpty() ? (Object) 0L : values[0],
                place);
    }

    private Scalar number(Expression.Call call, int index) {
        Expression argument = call.arguments().get(index);
        Scalar bound = scalars.bind(argument, Typing.INTEGER);
        if (!Typing.isInteger(bound.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            argument.position(),
                            call.name() + " needs an integer here, not " + bound.type());
        }
        return bound;
    }

    /// `call` with the text of each bit string.
    private Scalar ofText(Expression.Call call) {
        List<Expression> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            boolean bits =
                    !ScalarBinder.untyped(argument) && Typing.isBits(scalars.bind(argument).type());
            arguments.add(
                    bits
                            ? new Expression.Cast(argument.position(), argument, Typing.TEXT)
                            : argument);
        }
        return scalars.bind(
                new Expression.Call(call.position(), call.name(), List.copyOf(arguments)));
    }
}
