package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.BytesLibrary;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds functions of bytes, and the text functions that bytes have too.
final class BytesBinder {
    private final ScalarBinder scalars;

    BytesBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// Binds a function that takes bytes only.
    Scalar bound(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case BIT_LENGTH -> {
                Scalar bytes = ofBytes(function, first(call), call, place);
                yield bytes != null
                        ? bytes
                        : StrictCall.of(
                                function,
                                List.of(scalars.text(call.arguments().getFirst(), "BIT_LENGTH")),
                                Typing.INTEGER,
                                BytesLibrary.body(function),
                                place);
            }
            case FLOAT4SEND, FLOAT8SEND -> {
                Expression argument = call.arguments().getFirst();
                boolean single = function == Function.FLOAT4SEND;
                Type type = single ? Type.of(Type.Name.REAL) : Typing.DOUBLE;
                Scalar number = scalars.bind(argument, type);
                if (!Typing.isNumber(number.type())) {
                    throw needs(function, "a number", number, argument);
                }
                yield StrictCall.of(
                        function,
                        List.of(scalars.converted(number, type, argument.position())),
                        Typing.BYTES,
                        BytesLibrary.body(function),
                        place);
            }
            default -> {
                Expression first = call.arguments().getFirst();
                Scalar bytes = scalars.bind(first, Typing.BYTES);
                if (Typing.isBits(bytes.type())) {
                    yield new BitBinder(scalars).bound(function, bytes, call, place);
                }
                if (Typing.family(bytes.type()) != Typing.Family.BYTES) {
                    throw needs(function, "bytes", bytes, first);
                }
                yield made(function, bytes, call, place);
            }
        };
    }

    /// Binds the first argument of a function of texts or bytes.
    Scalar first(Expression.Call call) {
        return scalars.bind(call.arguments().getFirst(), OpenType.STRING);
    }

    /// `bound` as a text, if `expression` was bound for a look at its type: calls are nested, and not bound twice.
    Scalar text(Scalar bound, Expression expression, String where) {
        return ScalarBinder.untyped(expression)
                ? scalars.text(expression, where)
                : scalars.text(bound, expression, where);
    }

    /// Binds a text function if its argument `first` is bytes: OVERLAY, POSITION, STRPOS, MD5, SUBSTRING and the trims.
    /// Null for texts.
    @Nullable Scalar ofBytes(Function function, Scalar first, Expression.Call call, Place place) {
        if (Typing.isBits(first.type())) {
            return new BitBinder(scalars).bound(function, first, call, place);
        }
        return Typing.family(first.type()) == Typing.Family.BYTES
                ? made(function, first, call, place)
                : null;
    }

    private Scalar made(Function function, Scalar bytes, Expression.Call call, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(bytes);
        for (int i = 1; i < call.arguments().size(); i++) {
            Expression argument = call.arguments().get(i);
            boolean number =
                    switch (function) {
                        case POSITION, STRPOS, TRIM, LTRIM, RTRIM -> false;
                        case OVERLAY -> i > 1;
                        default -> true;
                    };
            Scalar bound = scalars.bind(argument, number ? Typing.INTEGER : Typing.BYTES);
            boolean fits =
                    number
                            ? Typing.isInteger(bound.type())
                            : Typing.family(bound.type()) == Typing.Family.BYTES;
            if (!fits) {
                throw needs(function, number ? "an integer here" : "bytes", bound, argument);
            }
            arguments.add(bound);
        }
        Type type =
                switch (function) {
                    case OVERLAY, SUBSTRING, TRIM, LTRIM, RTRIM, SET_BIT, SET_BYTE -> Typing.BYTES;
                    case MD5 -> Typing.TEXT;
                    case BIT_COUNT -> Typing.BIGINT;
                    default -> Typing.INTEGER;
                };
        return StrictCall.of(
                function, List.copyOf(arguments), type, BytesLibrary.body(function), place);
    }

    private RuntimeException needs(
            Function function, String what, Scalar bound, Expression argument) {
        return scalars.source()
                .error(
                        Kind.UNKNOWN_FUNCTION,
                        argument.position(),
                        function + " needs " + what + ", not " + bound.type());
    }
}
