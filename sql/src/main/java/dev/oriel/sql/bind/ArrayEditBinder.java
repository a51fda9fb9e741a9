package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ArrayEdits;
import dev.oriel.sql.plan.IdentifierParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Binds functions that find and replace elements of arrays, and functions about the size of arrays.
final class ArrayEditBinder {
    private final ScalarBinder scalars;

    ArrayEditBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case ARRAY_FILL -> filled(call, place);
            case ARRAY_NDIMS, ARRAY_DIMS -> size(function, call, place);
            case TRIM_ARRAY -> trimmed(call, place);
            case ARRAY_OVERLAP -> overlap(call, place);
            case PARSE_IDENT -> {
                List<Scalar> arguments = new ArrayList<>();
                arguments.add(scalars.text(call.arguments().getFirst(), "PARSE_IDENT"));
                if (call.arguments().size() > 1) {
                    arguments.add(scalars.condition(call.arguments().get(1), "PARSE_IDENT"));
                }
                yield StrictCall.of(
                        function,
                        List.copyOf(arguments),
                        Type.array(Typing.TEXT),
                        (values, at) ->
                                IdentifierParts.of(
                                        (String) values[0],
                                        values.length == 1 || (Long) values[1] == 1,
                                        at),
                        place);
            }
            default -> sought(function, call);
        };
    }

    private SqlException wrong(Expression argument, String message) {
        return scalars.source().error(Kind.UNKNOWN_FUNCTION, argument.position(), message);
    }

    private Scalar array(Expression expression, String where) {
        Scalar bound = scalars.bind(expression, OpenType.ARRAY);
        if (bound.type().element() == null) {
            throw wrong(expression, where + " needs an array, not " + bound.type());
        }
        return bound;
    }

    private Scalar integer(Expression expression, String where) {
        Scalar bound = scalars.bind(expression, Typing.INTEGER);
        if (!Typing.isInteger(bound.type())) {
            throw wrong(expression, where + " needs an integer, not " + bound.type());
        }
        return bound;
    }

    /// ARRAY_POSITION with a start, ARRAY_POSITIONS and ARRAY_REPLACE.
    private Scalar sought(Function function, Expression.Call call) {
        List<Expression> given = call.arguments();
        Scalar array = array(given.getFirst(), function.name());
        List<Scalar> arguments = new ArrayList<>();
        Type common = Typing.element(array.type());
        int values = function == Function.ARRAY_REPLACE ? 3 : 2;
        for (int i = 1; i < values; i++) {
            Scalar value = scalars.bind(given.get(i), Typing.element(array.type()));
            Type both = Typing.common(value.type(), common);
            if (both == null) {
                throw wrong(
                        given.get(i),
                        "The value is of type "
                                + value.type()
                                + ", but the array's elements are of type "
                                + Typing.element(array.type()));
            }
            common = Typing.plain(both);
            arguments.add(value);
        }
        for (int i = 1; i < values; i++) {
            Scalar value = arguments.get(i - 1);
            arguments.set(i - 1, scalars.converted(value, common, given.get(i).position()));
        }
        Type element = common;
        Type type = Type.array(element);
        arguments.addFirst(scalars.converted(array, type, given.getFirst().position()));
        if (function == Function.ARRAY_POSITION) {
            arguments.add(integer(given.get(2), function.name()));
        }
        Place place = scalars.source().at(call.position());
        return JsonBinder.made(
                function,
                List.copyOf(arguments),
                switch (function) {
                    case ARRAY_POSITION -> Typing.INTEGER;
                    case ARRAY_POSITIONS -> Type.array(Typing.INTEGER);
                    default -> type;
                },
                (of, frame) -> {
                    byte[] bytes = of.get(0).evalBytes(frame);
                    if (bytes == null) {
                        return null;
                    }
                    Tuple row = new Tuple(values - 1);
                    for (int i = 1; i < values; i++) {
                        of.get(i).store(row, i - 1, frame);
                    }
                    return switch (function) {
                        case ARRAY_POSITIONS -> ArrayEdits.positions(bytes, row, element);
                        case ARRAY_REPLACE -> ArrayEdits.replaced(bytes, row, element);
                        default -> {
                            long from = of.get(2).evalLong(frame);
                            if (frame.isNull) {
                                throw place.error(
                                        Kind.NULL_VALUE, "The start position cannot be NULL");
                            }
                            yield ArrayEdits.position(bytes, row, from, element);
                        }
                    };
                });
    }

    /// ARRAY_FILL of one dimension, with lower bound 1.
    private Scalar filled(Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        Scalar value = scalars.bind(given.getFirst());
        if (value.type().element() != null) {
            throw wrong(given.getFirst(), "Arrays cannot be nested; use JSON");
        }
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(value);
        Type integers = Type.array(Typing.INTEGER);
        for (Expression bounds : given.subList(1, given.size())) {
            Scalar array = scalars.bind(bounds, integers);
            boolean fits =
                    array.type().element() != null
                            && Typing.isInteger(Typing.element(array.type()));
            if (!fits) {
                throw wrong(bounds, "ARRAY_FILL needs an array of integers, not " + array.type());
            }
            arguments.add(scalars.converted(array, integers, bounds.position()));
        }
        Type element = Typing.plain(value.type());
        return JsonBinder.made(
                Function.ARRAY_FILL,
                List.copyOf(arguments),
                Type.array(element),
                (of, frame) -> {
                    Tuple one = new Tuple(1);
                    of.get(0).store(one, 0, frame);
                    byte[] lengths = of.get(1).evalBytes(frame);
                    byte[] firsts = of.size() > 2 ? of.get(2).evalBytes(frame) : null;
                    if (lengths == null || (firsts == null && of.size() > 2)) {
                        throw place.error(
                                Kind.NULL_VALUE, "The dimensions of ARRAY_FILL cannot be NULL");
                    }
                    return ArrayEdits.filled(one, lengths, firsts, element, place);
                });
    }

    private Scalar size(Function function, Expression.Call call, Place place) {
        Scalar array = array(call.arguments().getFirst(), function.name());
        Type element = Typing.element(array.type());
        boolean dimensions = function == Function.ARRAY_NDIMS;
        return StrictCall.of(
                function,
                List.of(array),
                dimensions ? Typing.INTEGER : Typing.TEXT,
                (values, at) -> {
                    int count = ArrayValue.count(element, (byte[]) values[0]);
                    if (count == 0) {
                        return null;
                    }
                    return dimensions ? (Object) 1L : "[1:" + count + "]";
                },
                place);
    }

    private Scalar trimmed(Expression.Call call, Place place) {
        Scalar array = array(call.arguments().getFirst(), "TRIM_ARRAY");
        Type element = Typing.element(array.type());
        return StrictCall.of(
                Function.TRIM_ARRAY,
                List.of(array, integer(call.arguments().get(1), "TRIM_ARRAY")),
                array.type(),
                (values, at) ->
                        ArrayEdits.trimmed((byte[]) values[0], (Long) values[1], element, at),
                place);
    }

    /// `a && b`: whether the arrays have an element in common.
    private Scalar overlap(Expression.Call call, Place place) {
        Expression a = call.arguments().get(0);
        Expression b = call.arguments().get(1);
        boolean second = ScalarBinder.untyped(a);
        Scalar known = scalars.bind(second ? b : a, OpenType.ARRAY);
        Scalar other = scalars.bind(second ? a : b, known.type());
        Type common = Typing.common(known.type(), other.type());
        Type element = common == null ? null : common.element();
        if (common == null || element == null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "\"&&\" cannot compare " + known.type() + " with " + other.type());
        }
        return StrictCall.of(
                Function.ARRAY_OVERLAP,
                List.of(
                        scalars.converted(known, common, call.position()),
                        scalars.converted(other, common, call.position())),
                Typing.BOOLEAN,
                (values, at) ->
                        TextLibrary.truth(
                                ArrayEdits.overlap(
                                        (byte[]) values[0], (byte[]) values[1], element)),
                place);
    }
}
