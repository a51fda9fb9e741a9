package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.json.JsonItem;
import dev.oriel.sql.json.JsonPath;
import dev.oriel.sql.json.JsonPathParser;
import dev.oriel.sql.json.JsonPathRun;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.JsonFunctions;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.ArrayText;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.JsonException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Binds functions and operators of JSON, except for functions with clauses of their own ([JsonCallBinder]).
final class JsonBinder {
    private final ScalarBinder scalars;

    JsonBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// Evaluates a function: a Long, Double, BigDecimal, String or byte array, by the shape of the result, or null.
    @FunctionalInterface
    interface Body {
        @Nullable Object of(List<Scalar> arguments, Frame frame);
    }

    /// Call of a function that handles NULL by itself.
    static Scalar made(Function function, List<Scalar> arguments, Type type, Body body) {
        return Folding.foldAll(call(function, arguments, type, body), arguments);
    }

    /// Like [#made], evaluated at each run even if all arguments are constants.
    static FunctionCall call(Function function, List<Scalar> arguments, Type type, Body body) {
        return switch (type.shape()) {
            case LONG ->
                    new FunctionCall.OfLong(
                            function,
                            arguments,
                            type,
                            (given, frame) -> {
                                Object value = body.of(given, frame);
                                frame.isNull = value == null;
                                return value instanceof Long number ? number : 0;
                            });
            case DOUBLE ->
                    new FunctionCall.OfDouble(
                            function,
                            arguments,
                            type,
                            (given, frame) -> {
                                Object value = body.of(given, frame);
                                frame.isNull = value == null;
                                return value instanceof Double number ? number : 0;
                            });
            case DECIMAL ->
                    new FunctionCall.OfDecimal(
                            function,
                            arguments,
                            type,
                            (given, frame) -> (BigDecimal) body.of(given, frame));
            case TEXT, FOLDED ->
                    new FunctionCall.OfText(
                            function,
                            arguments,
                            type,
                            (given, frame) -> (String) body.of(given, frame));
            case BYTES ->
                    new FunctionCall.OfBytes(
                            function,
                            arguments,
                            type,
                            (given, frame) -> (byte[]) body.of(given, frame));
        };
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        return switch (function) {
            case JSON_OBJECT -> object(function, call, false, false, place);
            case JSON_OBJECT_ABSENT -> object(function, call, true, false, place);
            case JSON_OBJECT_UNIQUE -> object(function, call, false, true, place);
            case JSON_OBJECT_ABSENT_UNIQUE -> object(function, call, true, true, place);
            case JSON_ARRAY -> array(function, call, true, place);
            case JSON_ARRAY_NULLS -> array(function, call, false, place);
            case JSON -> json(call.arguments().getFirst(), "JSON");
            case TO_JSON -> toJson(call, place);
            case ROW_TO_JSON -> rowToJson(call, place);
            case JSON_SERIALIZE -> {
                Expression argument = call.arguments().getFirst();
                yield scalars.asText(json(argument, "JSON_SERIALIZE"), argument.position());
            }
            case JSON_TYPEOF ->
                    strict(
                            function,
                            call,
                            Typing.TEXT,
                            json -> Json.kind(json, 0).name().toLowerCase(Locale.ROOT));
            case JSON_ARRAY_LENGTH ->
                    strict(function, call, Typing.INTEGER, json -> arrayLength(json, place));
            case JSON_PRETTY -> strict(function, call, Typing.TEXT, json -> Json.pretty(json, 0));
            case JSON_STRIP_NULLS ->
                    strict(
                            function,
                            call,
                            Typing.JSON,
                            json -> {
                                JsonBuilder out = new JsonBuilder();
                                JsonFunctions.stripped(json, 0, out);
                                return out.toBytes();
                            });
            case JSON_INSERT, JSON_SET_LAX, JSON_DELETE, JSON_HAS, JSON_HAS_ANY, JSON_HAS_ALL ->
                    new JsonMemberBinder(scalars).bound(function, call, place);
            case JSON_OF_PAIRS, ARRAY_TO_JSON ->
                    new JsonMemberBinder(scalars).ofArrays(function, call, place);
            case JSON_CONCAT ->
                    concatenation(
                            List.of(
                                    json(call.arguments().get(0), function.called()),
                                    json(call.arguments().get(1), function.called())),
                            call.position());
            case JSON_SET -> new JsonEditBinder(scalars).set(call, place);
            case JSON_WITHOUT_PATH -> new JsonEditBinder(scalars).withoutPath(call, place);
            case JSON_CONTAINS, JSON_CONTAINED -> containment(function, call);
            case JSON_GET, JSON_GET_TEXT -> step(function, call);
            case JSON_GET_PATH, JSON_GET_PATH_TEXT -> steps(function, call);
            case JSON_EXTRACT_PATH, JSON_EXTRACT_PATH_TEXT -> extracted(function, call);
            case JSON_PATH_EXISTS, JSON_PATH_MATCH, JSON_PATH_QUERY_ARRAY, JSON_PATH_QUERY_FIRST ->
                    path(function, function, call, place);
            case JSON_PATH_EXISTS_TZ -> path(function, Function.JSON_PATH_EXISTS, call, place);
            case JSON_PATH_MATCH_TZ -> path(function, Function.JSON_PATH_MATCH, call, place);
            case JSON_PATH_QUERY_ARRAY_TZ ->
                    path(function, Function.JSON_PATH_QUERY_ARRAY, call, place);
            case JSON_PATH_QUERY_FIRST_TZ ->
                    path(function, Function.JSON_PATH_QUERY_FIRST, call, place);
            case JSON_RECORD -> strict(function, call, Typing.JSON, json -> record(json, place));
            case JSON_RECORD_TEXT -> recordText(call, place);
            case JSON_PATH -> pathText(call);
            case IS_JSON, IS_JSON_UNIQUE -> isJson(function, call, place);
            default -> throw FunctionBinder.unnamed(call, place);
        };
    }

    /// Binds `expression`, which must be JSON, or text to be parsed as JSON.
    Scalar json(Expression expression, String where) {
        return asJson(scalars.bind(expression, Typing.JSON), expression, where);
    }

    /// Converts `bound`, the bound `expression`, to JSON.
    private Scalar asJson(Scalar bound, Expression expression, String where) {
        if (bound.type().name() == Type.Name.JSON) {
            return bound;
        }
        if (!Typing.isText(bound.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            expression.position(),
                            where + " needs JSON, not " + bound.type() + " (TO_JSON converts it)");
        }
        Place place = scalars.source().at(expression.position());
        return Folding.fold(new Conversion(bound, Typing.JSON, true, place));
    }

    /// A function of JSON that is not NULL.
    @FunctionalInterface
    private interface OfJson {
        Object of(byte[] json);
    }

    private Scalar strict(Function function, Expression.Call call, Type type, OfJson body) {
        Scalar argument = json(call.arguments().getFirst(), function.called());
        return made(
                function,
                List.of(argument),
                type,
                (given, frame) -> {
                    byte[] json = given.getFirst().evalBytes(frame);
                    return json == null ? null : body.of(json);
                });
    }

    private static byte[] record(byte[] json, Place place) {
        if (Json.kind(json, 0) != Json.Kind.OBJECT) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "A row needs a JSON object, not a value of kind "
                            + Json.kind(json, 0).name().toLowerCase(Locale.ROOT));
        }
        return json;
    }

    /// A text of at most some characters. As in PostgreSQL, blanks beyond them are cut.
    private Scalar recordText(Expression.Call call, Place place) {
        return made(
                Function.JSON_RECORD_TEXT,
                List.of(
                        scalars.bind(call.arguments().get(0)),
                        scalars.bind(call.arguments().get(1))),
                Typing.TEXT,
                (given, frame) -> {
                    String text = given.get(0).evalText(frame);
                    int most = (int) given.get(1).evalLong(frame);
                    int length = text == null ? 0 : text.codePointCount(0, text.length());
                    if (text == null || length <= most) {
                        return text;
                    }
                    int end = text.offsetByCodePoints(0, most);
                    if (!text.substring(end).replace(" ", "").isEmpty()) {
                        ConstraintException failure =
                                new ConstraintException(
                                        ConstraintException.Kind.VALUE_TOO_LONG,
                                        "A value is longer than its column allows",
                                        "length=" + length + " allowed=" + most);
                        throw place.source().error(failure, place.position());
                    }
                    return text.substring(0, end);
                });
    }

    private static Long arrayLength(byte[] json, Place place) {
        if (Json.kind(json, 0) != Json.Kind.ARRAY) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "JSON_ARRAY_LENGTH needs an array, not a JSON "
                            + Json.kind(json, 0).name().toLowerCase(Locale.ROOT));
        }
        return (long) Json.count(json, 0);
    }

    /// `part` as the name of a member of an object.
    static Scalar memberName(ScalarBinder scalars, Scalar part, int position) {
        if (part.type().name() == Type.Name.JSON || part.type().element() != null) {
            throw scalars.source()
                    .error(
                            Kind.INVALID_PARAMETER,
                            position,
                            "The name of a JSON member must be a text, a number or the like, not "
                                    + part.type());
        }
        return scalars.asText(part, position);
    }

    private Scalar object(
            Function function, Expression.Call call, boolean absent, boolean unique, Place place) {
        if (call.arguments().size() % 2 != 0) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "A JSON object needs a value for each name: the number of arguments is odd");
        }
        List<Scalar> parts = new ArrayList<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            Expression argument = call.arguments().get(i);
            if (i % 2 == 0) {
                parts.add(memberName(scalars, scalars.bind(argument), argument.position()));
            } else {
                parts.add(scalars.bind(new WholeRows(scalars).json(argument)));
            }
        }
        return made(
                function,
                List.copyOf(parts),
                Typing.JSON,
                (given, frame) -> JsonFunctions.object(given, frame, absent, unique, place));
    }

    private Scalar array(Function function, Expression.Call call, boolean absent, Place place) {
        List<Scalar> elements = new ArrayList<>();
        WholeRows rows = new WholeRows(scalars);
        call.arguments().forEach(argument -> elements.add(scalars.bind(rows.json(argument))));
        return made(
                function,
                List.copyOf(elements),
                Typing.JSON,
                (given, frame) -> JsonFunctions.array(given, frame, absent, place));
    }

    /// ROW_TO_JSON; a second argument asks for line ends, which JSON values do not keep.
    private Scalar rowToJson(Expression.Call call, Place place) {
        Expression row = call.arguments().getFirst();
        if (new WholeRows(scalars).values(row) == null
                && !CompositeBinder.is(scalars.bind(row).type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            row.position(),
                            "ROW_TO_JSON needs a table of the FROM or ROW(...); TO_JSON takes other"
                                    + " values");
        }
        if (call.arguments().size() > 1) {
            scalars.condition(call.arguments().get(1), "ROW_TO_JSON");
        }
        return toJson(call, place);
    }

    private Scalar toJson(Expression.Call call, Place place) {
        Scalar value = scalars.bind(new WholeRows(scalars).json(call.arguments().getFirst()));
        return value.type().name() == Type.Name.JSON
                ? value
                : made(
                        Function.TO_JSON,
                        List.of(value),
                        Typing.JSON,
                        (given, frame) -> toJson(given.getFirst(), frame, place));
    }

    /// `value` as JSON; null if it is NULL.
    static byte @Nullable [] toJson(Scalar value, Frame frame, Place place) {
        try {
            JsonBuilder out = new JsonBuilder();
            return JsonFunctions.put(value, frame, out) ? out.toBytes() : null;
        } catch (JsonException unfit) {
            throw JsonFunctions.unfit(unfit, place);
        }
    }

    /// `||` of two or more.
    Scalar concatenation(List<Scalar> parts, int position) {
        Place place = scalars.source().at(position);
        return made(
                Function.JSON_CONCAT,
                List.copyOf(parts),
                Typing.JSON,
                (given, frame) -> {
                    byte[] whole = given.getFirst().evalBytes(frame);
                    for (int i = 1; i < given.size() && whole != null; i++) {
                        byte[] next = given.get(i).evalBytes(frame);
                        whole =
                                next == null
                                        ? null
                                        : JsonFunctions.concatenated(whole, next, place);
                    }
                    return whole;
                });
    }

    private Scalar containment(Function function, Expression.Call call) {
        boolean swapped = function == Function.JSON_CONTAINED;
        Expression a = call.arguments().get(0);
        Expression b = call.arguments().get(1);
        // The typed operand determines the type of the other; each is bound once.
        boolean second = ScalarBinder.untyped(a);
        Scalar known = scalars.bind(second ? b : a, OpenType.of(Typing.JSON));
        boolean array = known.type().element() != null;
        boolean json = known.type().name() == Type.Name.JSON;
        Scalar other = scalars.bind(second ? a : b, array || json ? known.type() : Typing.JSON);
        Scalar open = ScalarBinder.unadapted(known);
        if (other.type().element() != null && OpenType.is(open.type())) {
            known = scalars.adapted(open, other.type(), call.position());
            array = true;
        }
        Scalar first = second ? other : known;
        Scalar last = second ? known : other;
        if (array) {
            Place place = scalars.source().at(call.position());
            return new ArrayBinder(scalars)
                    .containment(swapped ? last : first, swapped ? first : last, place);
        }
        Scalar left = asJson(first, a, "\"" + call.name() + "\"");
        Scalar right = asJson(last, b, "\"" + call.name() + "\"");
        return made(
                Function.JSON_CONTAINS,
                swapped ? List.of(right, left) : List.of(left, right),
                Typing.BOOLEAN,
                (given, frame) -> {
                    byte[] whole = given.get(0).evalBytes(frame);
                    byte[] part = whole == null ? null : given.get(1).evalBytes(frame);
                    return whole == null || part == null
                            ? null
                            : TextLibrary.truth(JsonFunctions.contains(whole, part));
                });
    }

    /// `->` and `->>`: a member by name or an element by index.
    private Scalar step(Function function, Expression.Call call) {
        Scalar json = json(call.arguments().get(0), "\"" + call.name() + "\"");
        Expression second = call.arguments().get(1);
        Scalar key = scalars.bind(second, OpenType.TEXT);
        boolean index = Typing.isInteger(key.type());
        if (!index && !Typing.isText(key.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            second.position(),
                            "\""
                                    + call.name()
                                    + "\" takes a name or a number of an element, not "
                                    + key.type());
        }
        // its value may be a number: it has the type of a name since the value is not known yet
        boolean untyped = second instanceof Expression.Parameter && ScalarBinder.untyped(second);
        byte[] name =
                key instanceof Scalar.Constant constant
                                && constant.reference() instanceof String text
                        ? JsonFunctions.name(text)
                        : null;
        return found(
                function,
                List.of(json, key),
                (given, frame) -> {
                    byte[] value = given.get(0).evalBytes(frame);
                    if (value == null) {
                        return null;
                    }
                    int at;
                    if (index) {
                        long number = given.get(1).evalLong(frame);
                        at = frame.isNull ? -1 : JsonFunctions.step(value, 0, number);
                    } else if (name != null) {
                        at =
                                Json.kind(value, 0) == Json.Kind.OBJECT
                                        ? Json.member(value, 0, name)
                                        : -1;
                    } else {
                        String text = given.get(1).evalText(frame);
                        boolean finds = untyped || Json.kind(value, 0) == Json.Kind.OBJECT;
                        at = text == null || !finds ? -1 : JsonFunctions.step(value, 0, text);
                    }
                    return at < 0 ? null : new JsonItem(value, at);
                });
    }

    /// Finds a value in another; null if there is none.
    @FunctionalInterface
    private interface Finding {
        @Nullable JsonItem of(List<Scalar> arguments, Frame frame);
    }

    private static Scalar found(Function function, List<Scalar> arguments, Finding finding) {
        boolean text =
                switch (function) {
                    case JSON_GET_TEXT, JSON_GET_PATH_TEXT, JSON_EXTRACT_PATH_TEXT -> true;
                    default -> false;
                };
        return made(
                function,
                arguments,
                text ? Typing.TEXT : Typing.JSON,
                (given, frame) -> {
                    JsonItem item = finding.of(given, frame);
                    if (item == null) {
                        return null;
                    }
                    return text ? JsonFunctions.textAt(item.json(), item.at()) : item.alone();
                });
    }

    /// `#>` and `#>>`: the steps are an array of text, or its form as text: `{a,0,b}`.
    private Scalar steps(Function function, Expression.Call call) {
        Scalar json = json(call.arguments().get(0), "\"" + call.name() + "\"");
        Expression second = call.arguments().get(1);
        Scalar keys = keys(second, call.name());
        Place place = scalars.source().at(second.position());
        return found(
                function,
                List.of(json, keys),
                (given, frame) -> {
                    byte[] value = given.get(0).evalBytes(frame);
                    String text = value == null ? null : given.get(1).evalText(frame);
                    if (value == null || text == null) {
                        return null;
                    }
                    List<String> path = path(text, place);
                    int at = path == null ? -1 : JsonFunctions.follow(value, path);
                    return at < 0 ? null : new JsonItem(value, at);
                });
    }

    /// The steps of a path, as text.
    Scalar keys(Expression expression, String function) {
        Scalar keys = scalars.bind(expression, OpenType.TEXT);
        keys = keys.type().element() != null ? scalars.asText(keys, expression.position()) : keys;
        if (!Typing.isText(keys.type())) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            expression.position(),
                            "\"" + function + "\" takes an array of names, as '{a,0}'");
        }
        return keys;
    }

    /// Parses the steps in `text`; null if one of them is NULL.
    static @Nullable List<String> path(String text, Place place) {
        List<String> path = new ArrayList<>();
        for (@Nullable String key : ArrayText.parse(text, place)) {
            if (key == null) {
                return null;
            }
            path.add(key);
        }
        return path;
    }

    /// Parses the steps in `text` to a value to be changed.
    static List<String> pathToChange(String text, Place place) {
        List<String> path = new ArrayList<>();
        for (@Nullable String key : ArrayText.parse(text, place)) {
            if (key == null) {
                throw place.error(
                        Kind.NULL_VALUE,
                        "Step "
                                + (path.size() + 1)
                                + " of the path is NULL: name a member or an element");
            }
            path.add(key);
        }
        return path;
    }

    private Scalar extracted(Function function, Expression.Call call) {
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(json(call.arguments().getFirst(), function.called()));
        for (Expression key : call.arguments().subList(1, call.arguments().size())) {
            arguments.add(scalars.asText(scalars.bind(key, Typing.TEXT), key.position()));
        }
        return found(
                function,
                List.copyOf(arguments),
                (given, frame) -> {
                    byte[] value = given.getFirst().evalBytes(frame);
                    int at = 0;
                    for (int i = 1; value != null && at >= 0 && i < given.size(); i++) {
                        String key = given.get(i).evalText(frame);
                        at = key == null ? -1 : JsonFunctions.step(value, at, key);
                    }
                    return value == null || at < 0 ? null : new JsonItem(value, at);
                });
    }

    private Scalar isJson(Function function, Expression.Call call, Place place) {
        Expression operand = call.arguments().get(0);
        Scalar value = scalars.bind(operand, Typing.TEXT);
        if (!Typing.isText(value.type()) && value.type().name() != Type.Name.JSON) {
            throw scalars.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            operand.position(),
                            "IS JSON needs text or JSON, not " + value.type());
        }
        Scalar wanted = scalars.bind(call.arguments().get(1), Typing.TEXT);
        boolean unique = function == Function.IS_JSON_UNIQUE;
        return StrictCall.of(
                function,
                List.of(value, wanted),
                Typing.BOOLEAN,
                (values, at) ->
                        TextLibrary.truth(
                                JsonFunctions.isJson(values[0], (String) values[1], unique)),
                place);
    }

    /// JSONPATH of a text: parsed as a path, and printed as in PostgreSQL.
    private Scalar pathText(Expression.Call call) {
        Expression given = call.arguments().getFirst();
        Scalar text = scalars.text(given, Function.JSON_PATH.called());
        Place place = scalars.source().at(given.position());
        FunctionCall.TextBody body =
                (values, frame) -> {
                    String path = values.getFirst().evalText(frame);
                    return path == null ? null : JsonPathParser.parse(path, place).text();
                };
        FunctionCall path =
                new FunctionCall.OfText(Function.JSON_PATH, List.of(text), Typing.TEXT, body);
        return Folding.foldAll(path, path.arguments());
    }

    /// PostgreSQL's path functions. Arguments: a value, a path, variables as an object, and whether to suppress
    /// errors of the data.
    ///
    /// @param plain the function without a time zone; `function` itself if it has none
    private Scalar path(Function function, Function plain, Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(json(given.get(0), function.called()));
        arguments.add(scalars.text(given.get(1), function.called()));
        if (given.size() > 2) {
            arguments.add(json(given.get(2), function.called()));
        }
        if (given.size() > 3) {
            arguments.add(scalars.condition(given.get(3), function.called()));
        }
        Place pathPlace = scalars.source().at(given.get(1).position());
        CompiledPath compiled = new CompiledPath(arguments.get(1), pathPlace);
        Type type =
                switch (plain) {
                    case JSON_PATH_EXISTS, JSON_PATH_MATCH -> Typing.BOOLEAN;
                    default -> Typing.JSON;
                };
        Body body =
                (values, frame) -> {
                    byte[] json = values.get(0).evalBytes(frame);
                    JsonPath path = json == null ? null : compiled.path(values.get(1), frame);
                    int silence = values.size() > 3 ? values.get(3).evalTruth(frame) : 0;
                    Map<String, byte[]> passed =
                            values.size() > 2 ? variables(values.get(2), frame) : Map.of();
                    if (json == null
                            || path == null
                            || passed == null
                            || silence == Scalar.UNKNOWN) {
                        return null;
                    }
                    try {
                        return result(
                                plain,
                                function == plain
                                        ? JsonPathRun.items(path, json, passed, pathPlace)
                                        : JsonPathRun.items(
                                                path,
                                                json,
                                                passed,
                                                frame.zone(),
                                                frame.nowMicros(),
                                                pathPlace));
                    } catch (JsonPathRun.Failure failure) {
                        if (silence == 1) {
                            return null;
                        }
                        throw failure.at(place);
                    }
                };
        List<Scalar> parts = List.copyOf(arguments);
        return function == plain
                ? made(function, parts, type, body)
                : call(function, parts, type, body);
    }

    /// The members of the object `scalar`; null if it is NULL.
    private static @Nullable Map<String, byte[]> variables(Scalar scalar, Frame frame) {
        byte[] json = scalar.evalBytes(frame);
        if (json == null) {
            return null;
        }
        Map<String, byte[]> variables = new HashMap<>();
        if (Json.kind(json, 0) == Json.Kind.OBJECT) {
            int at = Json.first(0);
            for (int left = Json.count(json, 0); left > 0; left--) {
                int value = Json.value(json, at);
                variables.put(Json.name(json, at), Json.copy(json, value));
                at = Json.end(json, value);
            }
        }
        return variables;
    }

    private static @Nullable Object result(Function function, List<JsonItem> items) {
        return switch (function) {
            case JSON_PATH_EXISTS -> TextLibrary.truth(!items.isEmpty());
            case JSON_PATH_QUERY_FIRST -> items.isEmpty() ? null : items.getFirst().alone();
            case JSON_PATH_QUERY_ARRAY -> arrayOf(items);
            default -> {
                JsonItem only = items.size() == 1 ? items.getFirst() : null;
                if (only != null && only.kind() == Json.Kind.NULL) {
                    yield null;
                }
                if (only == null || only.kind() != Json.Kind.BOOLEAN) {
                    throw new JsonPathRun.Failure(
                            Kind.SEVERAL_JSON_ITEMS, "The path must find one boolean");
                }
                yield TextLibrary.truth(only.truth());
            }
        };
    }

    /// An array of all items.
    static byte[] arrayOf(List<JsonItem> items) {
        JsonBuilder out = new JsonBuilder();
        JsonBuilder.Open array = out.beginArray();
        for (JsonItem item : items) {
            array.element();
            out.putJson(item.json(), item.at());
        }
        array.end();
        return out.toBytes();
    }

    /// A path, parsed when the statement is bound if it is constant.
    static final class CompiledPath {
        private final @Nullable JsonPath known;
        private final Place place;

        CompiledPath(Scalar text, Place place) {
            this.place = place;
            this.known =
                    text instanceof Scalar.Constant constant
                                    && constant.reference() instanceof String path
                            ? JsonPathParser.parse(path, place)
                            : null;
        }

        /// The path; null if it is NULL.
        @Nullable JsonPath path(Scalar text, Frame frame) {
            if (known != null) {
                return known;
            }
            String path = text.evalText(frame);
            return path == null ? null : JsonPathParser.parse(path, place);
        }
    }
}
