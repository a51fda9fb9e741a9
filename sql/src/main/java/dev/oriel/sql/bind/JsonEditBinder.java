package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ArrayFunctions;
import dev.oriel.sql.plan.JsonEdits;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// Binds functions that return a changed copy of JSON: JSONB_SET, `-` and `#-`.
final class JsonEditBinder {
    private final ScalarBinder scalars;
    private final JsonBinder json;

    JsonEditBinder(ScalarBinder scalars) {
        this.scalars = scalars;
        this.json = new JsonBinder(scalars);
    }

    /// JSONB_SET.
    Scalar set(Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(json.json(given.get(0), call.name()));
        arguments.add(json.keys(given.get(1), call.name()));
        arguments.add(json.json(given.get(2), call.name()));
        if (given.size() > 3) {
            arguments.add(scalars.condition(given.get(3), call.name()));
        }
        return JsonBinder.made(
                Function.JSON_SET,
                List.copyOf(arguments),
                Typing.JSON,
                (of, frame) -> {
                    byte[] whole = of.get(0).evalBytes(frame);
                    String keys = of.get(1).evalText(frame);
                    byte[] value = of.get(2).evalBytes(frame);
                    int creates = of.size() > 3 ? of.get(3).evalTruth(frame) : 1;
                    List<String> path = keys == null ? null : JsonBinder.pathToChange(keys, place);
                    return whole == null || path == null || value == null || creates < 0
                            ? null
                            : JsonEdits.set(whole, path, value, creates == 1, place);
                });
    }

    /// `#-`.
    Scalar withoutPath(Expression.Call call, Place place) {
        Scalar whole = json.json(call.arguments().get(0), "\"" + call.name() + "\"");
        Scalar steps = json.keys(call.arguments().get(1), call.name());
        return JsonBinder.made(
                Function.JSON_WITHOUT_PATH,
                List.of(whole, steps),
                Typing.JSON,
                (of, frame) -> {
                    byte[] from = of.get(0).evalBytes(frame);
                    String keys = of.get(1).evalText(frame);
                    List<String> path = keys == null ? null : JsonBinder.pathToChange(keys, place);
                    return from == null || path == null
                            ? null
                            : JsonEdits.without(from, path, place);
                });
    }

    /// `whole - names`: removes the members with these names.
    private static Scalar withoutNames(Scalar whole, Scalar names, Place place) {
        return JsonBinder.made(
                Function.JSON_WITHOUT,
                List.of(whole, names),
                Typing.JSON,
                (of, frame) -> {
                    byte[] json = of.get(0).evalBytes(frame);
                    byte[] array = json == null ? null : of.get(1).evalBytes(frame);
                    if (json == null || array == null) {
                        return null;
                    }
                    Tuple elements = ArrayFunctions.elements(names.type(), array);
                    if (elements.columns() == 0) {
                        return JsonEdits.checked(json, place);
                    }
                    for (int i = 0; i < elements.columns(); i++) {
                        String name = elements.isNull(i) ? null : elements.textAt(i);
                        json = name == null ? json : JsonEdits.withoutName(json, name, place);
                    }
                    return json;
                });
    }

    /// `whole - key`: removes a member or an element.
    Scalar without(Scalar whole, Expression expression, Place place) {
        Scalar key = scalars.bind(expression, OpenType.TEXT);
        boolean number = Typing.isInteger(key.type());
        if (key.type().element() != null && Typing.isText(Typing.element(key.type()))) {
            return withoutNames(whole, key, place);
        }
        if (!number && !Typing.isText(key.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            expression.position(),
                            "\"-\" takes a name or the number of an element from JSON, not "
                                    + key.type());
        }
        return JsonBinder.made(
                Function.JSON_WITHOUT,
                List.of(whole, key),
                Typing.JSON,
                (of, frame) -> {
                    byte[] from = of.get(0).evalBytes(frame);
                    if (from == null) {
                        return null;
                    }
                    if (number) {
                        long element = of.get(1).evalLong(frame);
                        return frame.isNull ? null : JsonEdits.withoutElement(from, element, place);
                    }
                    String name = of.get(1).evalText(frame);
                    return name == null ? null : JsonEdits.withoutName(from, name, place);
                });
    }
}
