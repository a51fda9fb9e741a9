package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.ArrayFunctions;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.JsonEdits;
import dev.oriel.sql.plan.JsonFunctions;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.JsonException;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Binds functions that test for members of JSON or insert some, and functions that convert arrays to JSON.
final class JsonMemberBinder {
    private final ScalarBinder scalars;
    private final JsonBinder json;

    JsonMemberBinder(ScalarBinder scalars) {
        this.scalars = scalars;
        this.json = new JsonBinder(scalars);
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        return switch (function) {
            case JSON_INSERT -> inserted(given, call.name(), place);
            case JSON_SET_LAX -> setLax(given, call.name(), place);
            case JSON_DELETE ->
                    new JsonEditBinder(scalars)
                            .without(json.json(given.get(0), call.name()), given.get(1), place);
            default -> has(function, given);
        };
    }

    /// JSONB_INSERT.
    private Scalar inserted(List<Expression> given, String name, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(json.json(given.get(0), name));
        arguments.add(json.keys(given.get(1), name));
        arguments.add(json.json(given.get(2), name));
        if (given.size() > 3) {
            arguments.add(scalars.condition(given.get(3), name));
        }
        return JsonBinder.made(
                Function.JSON_INSERT,
                List.copyOf(arguments),
                Typing.JSON,
                (of, frame) -> {
                    byte[] whole = of.get(0).evalBytes(frame);
                    String keys = of.get(1).evalText(frame);
                    byte[] value = of.get(2).evalBytes(frame);
                    int behind = of.size() > 3 ? of.get(3).evalTruth(frame) : 0;
                    return whole == null || keys == null || value == null || behind < 0
                            ? null
                            : JsonEdits.inserted(
                                    whole,
                                    JsonBinder.pathToChange(keys, place),
                                    value,
                                    behind == 1,
                                    place);
                });
    }

    /// JSONB_SET_LAX: JSONB_SET with an option for NULL.
    private Scalar setLax(List<Expression> given, String name, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(json.json(given.get(0), name));
        arguments.add(json.keys(given.get(1), name));
        arguments.add(json.json(given.get(2), name));
        if (given.size() > 3) {
            arguments.add(scalars.condition(given.get(3), name));
        }
        if (given.size() > 4) {
            arguments.add(scalars.text(given.get(4), name));
        }
        return JsonBinder.made(
                Function.JSON_SET_LAX,
                List.copyOf(arguments),
                Typing.JSON,
                (of, frame) -> {
                    byte[] whole = of.get(0).evalBytes(frame);
                    String keys = of.get(1).evalText(frame);
                    byte[] value = of.get(2).evalBytes(frame);
                    int creates = of.size() > 3 ? of.get(3).evalTruth(frame) : 1;
                    if (whole == null || keys == null || creates < 0) {
                        return null;
                    }
                    if (value != null) {
                        List<String> path = JsonBinder.pathToChange(keys, place);
                        return JsonEdits.set(whole, path, value, creates == 1, place);
                    }
                    String treatment = of.size() > 4 ? of.get(4).evalText(frame) : "use_json_null";
                    return ofNull(whole, keys, creates == 1, treatment, place);
                });
    }

    private static byte[] ofNull(
            byte[] whole, String keys, boolean creates, @Nullable String treatment, Place place) {
        List<String> path = JsonBinder.pathToChange(keys, place);
        return switch (treatment) {
            case "use_json_null" -> {
                JsonBuilder out = new JsonBuilder();
                out.putNull();
                yield JsonEdits.set(whole, path, out.toBytes(), creates, place);
            }
            case "delete_key" -> JsonEdits.without(whole, path, place);
            case "return_target" -> whole;
            case "raise_exception" ->
                    throw place.error(Kind.NULL_VALUE, "The value of JSONB_SET_LAX is NULL");
            case null, default ->
                    throw place.error(
                            Kind.INVALID_PARAMETER,
                            "JSONB_SET_LAX takes raise_exception, use_json_null, delete_key or"
                                    + " return_target for NULL");
        };
    }

    /// Whether JSON has a member of a name, or a string as an element; or any or all of several.
    private Scalar has(Function function, List<Expression> given) {
        Scalar whole = json.json(given.get(0), "\"?\"");
        if (function == Function.JSON_HAS) {
            return JsonBinder.made(
                    function,
                    List.of(whole, scalars.text(given.get(1), "\"?\"")),
                    Typing.BOOLEAN,
                    (of, frame) -> {
                        byte[] in = of.get(0).evalBytes(frame);
                        String name = in == null ? null : of.get(1).evalText(frame);
                        return in == null || name == null ? null : TextLibrary.truth(has(in, name));
                    });
        }
        boolean all = function == Function.JSON_HAS_ALL;
        Expression second = given.get(1);
        Type texts = Type.array(Typing.TEXT);
        Scalar names = scalars.bind(second, texts);
        if (names.type().element() == null || !Typing.isText(Typing.element(names.type()))) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            second.position(),
                            "The names must be an array of texts, not " + names.type());
        }
        return JsonBinder.made(
                function,
                List.of(whole, names),
                Typing.BOOLEAN,
                (of, frame) -> {
                    byte[] in = of.get(0).evalBytes(frame);
                    byte[] array = in == null ? null : of.get(1).evalBytes(frame);
                    if (in == null || array == null) {
                        return null;
                    }
                    Tuple elements = ArrayFunctions.elements(names.type(), array);
                    for (int i = 0; i < elements.columns(); i++) {
                        String name = elements.isNull(i) ? null : elements.textAt(i);
                        if (name != null && has(in, name) != all) {
                            return TextLibrary.truth(!all);
                        }
                    }
                    return TextLibrary.truth(all);
                });
    }

    private static boolean has(byte[] in, String name) {
        Json.Kind kind = Json.kind(in, 0);
        if (kind != Json.Kind.OBJECT && kind != Json.Kind.ARRAY) {
            return kind == Json.Kind.STRING && Json.string(in, 0).equals(name);
        }
        int at = Json.first(0);
        for (int left = Json.count(in, 0); left > 0; left--) {
            if (kind == Json.Kind.OBJECT) {
                if (Json.name(in, at).equals(name)) {
                    return true;
                }
                at = Json.value(in, at);
            } else if (Json.kind(in, at) == Json.Kind.STRING && Json.string(in, at).equals(name)) {
                return true;
            }
            at = Json.end(in, at);
        }
        return false;
    }

    /// ARRAY_TO_JSON, and JSON_OBJECT of one array or two, with names and values.
    Scalar ofArrays(Function function, Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        List<Scalar> arguments = new ArrayList<>();
        Type texts = Type.array(Typing.TEXT);
        if (function == Function.ARRAY_TO_JSON) {
            Scalar array = scalars.bind(given.getFirst(), OpenType.ARRAY);
            if (array.type().element() == null) {
                throw scalars.source()
                        .error(
                                Kind.UNKNOWN_FUNCTION,
                                given.getFirst().position(),
                                "ARRAY_TO_JSON needs an array, not " + array.type());
            }
            arguments.add(array);
            if (given.size() > 1) {
                arguments.add(scalars.condition(given.get(1), call.name()));
            }
            return JsonBinder.made(
                    function,
                    List.copyOf(arguments),
                    Typing.JSON,
                    (of, frame) ->
                            isUnknown(of, frame)
                                    ? null
                                    : JsonBinder.toJson(of.getFirst(), frame, place));
        }
        for (Expression argument : given) {
            Scalar array = scalars.bind(argument, texts);
            if (Typing.isText(array.type())) {
                array = scalars.bind(new Expression.Cast(argument.position(), argument, texts));
            }
            if (array.type().element() == null || !Typing.isText(Typing.element(array.type()))) {
                throw scalars.source()
                        .error(
                                Kind.UNKNOWN_FUNCTION,
                                argument.position(),
                                call.name().toUpperCase(Locale.ROOT)
                                        + " needs an array of texts, not "
                                        + array.type());
            }
            arguments.add(array);
        }
        return JsonBinder.made(
                function,
                List.copyOf(arguments),
                Typing.JSON,
                (of, frame) -> ofPairs(of, frame, place));
    }

    /// Whether the flag behind the array is NULL.
    private static boolean isUnknown(List<Scalar> arguments, Frame frame) {
        if (arguments.size() == 1) {
            return false;
        }
        long _ = arguments.get(1).evalLong(frame);
        return frame.isNull;
    }

    private static byte @Nullable [] ofPairs(List<Scalar> arrays, Frame frame, Place place) {
        byte[] first = arrays.getFirst().evalBytes(frame);
        byte[] second = arrays.getLast().evalBytes(frame);
        if (first == null || second == null) {
            return null;
        }
        Tuple names = ArrayFunctions.elements(arrays.getFirst().type(), first);
        Tuple values = ArrayFunctions.elements(arrays.getLast().type(), second);
        boolean two = arrays.size() > 1;
        if (two ? names.columns() != values.columns() : names.columns() % 2 != 0) {
            throw place.error(
                    Kind.SUBSCRIPT, "A JSON object needs as many values as there are names");
        }
        JsonBuilder out = new JsonBuilder();
        JsonBuilder.Open object = out.beginObject();
        int step = two ? 1 : 2;
        try {
            for (int i = 0; i < names.columns(); i += step) {
                String name = names.isNull(i) ? null : names.textAt(i);
                if (name == null) {
                    throw place.error(Kind.NULL_VALUE, "The name of a JSON member cannot be NULL");
                }
                object.name(name);
                int at = two ? i : i + 1;
                String value = values.isNull(at) ? null : values.textAt(at);
                if (value == null) {
                    out.putNull();
                } else {
                    out.putString(value);
                }
            }
            object.end();
            return out.toBytes();
        } catch (JsonException unfit) {
            throw JsonFunctions.unfit(unfit, place);
        }
    }
}
