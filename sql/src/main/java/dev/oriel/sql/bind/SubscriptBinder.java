package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ArrayEdits;
import dev.oriel.sql.plan.JsonAssignment;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds subscripts of JSON, `j['a'][0]`, and assignments to elements and slices: `SET a[1] = x`, `SET j['a'] = y`.
/// The arguments of an assignment are the whole, the value and the subscripts.
final class SubscriptBinder {
    private final ScalarBinder scalars;

    SubscriptBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// `json[index]`: a member by name or an element by number.
    Scalar ofJson(Expression json, Expression index) {
        step(index);
        Expression key = new Expression.Cast(index.position(), index, Typing.TEXT);
        return scalars.bind(
                new Expression.Call(
                        index.position(), Function.JSON_EXTRACT_PATH.called(), List.of(json, key)));
    }

    /// Whether `index` is a number; it is a text otherwise.
    private boolean step(Expression index) {
        Type type = scalars.bind(index, OpenType.TEXT).type();
        boolean number = Typing.isInteger(type);
        if (!number && !Typing.isText(type)) {
            throw wrong(
                    index,
                    "A subscript of JSON is a name or the number of an element, not " + type);
        }
        return number;
    }

    private SqlException wrong(Expression expression, String message) {
        return scalars.source().error(Kind.TYPE_MISMATCH, expression.position(), message);
    }

    /// An assignment to one element or member.
    Scalar assigned(Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        Scalar whole = scalars.bind(given.get(0), Typing.JSON);
        if (whole.type().name() == Type.Name.JSON) {
            return member(whole, given, place);
        }
        Type element = element(whole, given.get(0));
        if (given.size() > 3) {
            throw wrong(given.get(3), "The elements of an array are no arrays; JSON nests");
        }
        Scalar value = scalars.assign(given.get(1), element, "An element");
        return JsonBinder.made(
                Function.ASSIGNED,
                List.of(whole, value, number(given.get(2))),
                whole.type(),
                (of, frame) -> {
                    byte[] array = of.get(0).evalBytes(frame);
                    Tuple one = new Tuple(1);
                    of.get(1).store(one, 0, frame);
                    long index = of.get(2).evalLong(frame);
                    if (frame.isNull) {
                        throw missing(place);
                    }
                    return ArrayEdits.assigned(array, index, one, element, place);
                });
    }

    /// An assignment to `array[first:last]`.
    Scalar assignedSlice(Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        Scalar whole = scalars.bind(given.get(0), Typing.JSON);
        Type element = element(whole, given.get(0));
        Scalar value = scalars.assign(given.get(1), Type.array(element), "A slice");
        return JsonBinder.made(
                Function.ASSIGNED_SLICE,
                List.of(whole, value, number(given.get(2)), number(given.get(3))),
                whole.type(),
                (of, frame) -> {
                    byte[] array = of.get(0).evalBytes(frame);
                    byte[] values = of.get(1).evalBytes(frame);
                    long first = of.get(2).evalLong(frame);
                    boolean unknown = frame.isNull;
                    long last = of.get(3).evalLong(frame);
                    if (unknown || frame.isNull) {
                        throw missing(place);
                    }
                    return values == null
                            ? array
                            : ArrayEdits.assigned(array, first, last, values, element, place);
                });
    }

    private Type element(Scalar whole, Expression expression) {
        Type element = whole.type().element();
        if (element == null) {
            throw wrong(
                    expression,
                    "An assigned subscript needs an array or JSON, not "
                            + whole.type()
                            + (whole.type().name() == Type.Name.JSON ? " with a slice" : ""));
        }
        return element;
    }

    private Scalar number(Expression index) {
        Scalar bound = scalars.bind(index, Typing.INTEGER);
        if (!Typing.isInteger(bound.type())) {
            throw wrong(index, "Elements are counted in integers, this is " + bound.type());
        }
        return bound;
    }

    private static SqlException missing(Place place) {
        return place.error(Kind.NULL_VALUE, "A subscript to assign to cannot be NULL");
    }

    private Scalar member(Scalar whole, List<Expression> given, Place place) {
        Expression written = given.get(1);
        Scalar value = scalars.bind(written, Typing.JSON);
        if (value.type().name() != Type.Name.JSON) {
            throw wrong(
                    written,
                    "A part of JSON is JSON, this is "
                            + value.type()
                            + " (TO_JSONB makes JSON of it)");
        }
        List<Scalar> parts = new ArrayList<>(List.of(whole, value));
        for (Expression step : given.subList(2, given.size())) {
            parts.add(scalars.asText(scalars.bind(step, Typing.TEXT), step.position()));
        }
        boolean array = step(given.get(2));
        for (Expression step : given.subList(3, given.size())) {
            step(step);
        }
        return JsonBinder.made(
                Function.ASSIGNED,
                List.copyOf(parts),
                Typing.JSON,
                (of, frame) -> {
                    byte[] json = of.get(0).evalBytes(frame);
                    byte[] part = of.get(1).evalBytes(frame);
                    List<String> path = new ArrayList<>();
                    for (Scalar step : of.subList(2, of.size())) {
                        @Nullable String key = step.evalText(frame);
                        if (key == null) {
                            throw missing(place);
                        }
                        path.add(key);
                    }
                    byte[] set = part == null ? Json.parse("null") : part;
                    return JsonAssignment.assigned(json, array, path, set, place);
                });
    }
}
