package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.json.JsonItem;
import dev.oriel.sql.json.JsonPath;
import dev.oriel.sql.json.JsonPathRun;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TextLibrary;
import dev.oriel.sql.syntax.Expression.JsonCall;
import dev.oriel.sql.syntax.Expression.JsonCall.Otherwise;
import dev.oriel.sql.syntax.Expression.JsonCall.OtherwiseKind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Binds JSON_VALUE, JSON_QUERY and JSON_EXISTS.
final class JsonCallBinder {
    private final ScalarBinder scalars;
    private final SqlText source;

    JsonCallBinder(ScalarBinder scalars) {
        this.scalars = scalars;
        this.source = scalars.source();
    }

    Scalar bind(JsonCall call) {
        String name = "JSON_" + call.kind();
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(new JsonBinder(scalars).json(call.context(), name));
        arguments.add(scalars.text(call.path(), "The path of " + name));
        List<String> names = new ArrayList<>();
        for (JsonCall.Passed passed : call.passed()) {
            names.add(passed.name());
            arguments.add(scalars.bind(passed.value()));
        }
        Type type = type(call);
        JsonCall.Clauses clauses = call.clauses();
        Substitute onEmpty = substitute(clauses.onEmpty(), type, arguments);
        Substitute onError = substitute(clauses.onError(), type, arguments);
        String said = said(clauses, names);
        if (!said.isEmpty()) {
            arguments.add(Scalar.Constant.of(Typing.TEXT, said));
        }
        Run run =
                new Run(
                        call,
                        type,
                        List.copyOf(names),
                        new JsonBinder.CompiledPath(
                                arguments.get(1), source.at(call.path().position())),
                        onEmpty,
                        onError,
                        source.at(call.position()),
                        source.at(call.path().position()));
        Function function =
                switch (call.kind()) {
                    case VALUE -> Function.JSON_VALUE;
                    case QUERY -> Function.JSON_QUERY;
                    case EXISTS -> Function.JSON_EXISTS;
                };
        return JsonBinder.made(function, List.copyOf(arguments), type, run::value);
    }

    /// Text of the clauses that neither the function, its type nor its other arguments reflect. It is an argument
    /// too, which makes calls with other clauses unequal.
    private static String said(JsonCall.Clauses clauses, List<String> names) {
        List<String> said = new ArrayList<>();
        if (!names.isEmpty()) {
            List<String> quoted = new ArrayList<>();
            names.forEach(name -> quoted.add(Quoting.name(name)));
            said.add("PASSING " + String.join(", ", quoted));
        }
        if (clauses.wrapper() != JsonCall.Wrapper.WITHOUT) {
            said.add(clauses.wrapper() + " WRAPPER");
        }
        if (clauses.bare()) {
            said.add("OMIT QUOTES");
        }
        if (clauses.onEmpty() != null) {
            said.add(clauses.onEmpty().kind() + " ON EMPTY");
        }
        if (clauses.onError() != null) {
            said.add(clauses.onError().kind() + " ON ERROR");
        }
        return String.join(" ", said);
    }

    private Type type(JsonCall call) {
        if (call.kind() == JsonCall.Kind.EXISTS) {
            return Typing.BOOLEAN;
        }
        Type type = call.returning();
        if (type == null) {
            return call.kind() == JsonCall.Kind.VALUE ? Typing.TEXT : Typing.JSON;
        }
        if (call.kind() == JsonCall.Kind.QUERY
                && type.name() != Type.Name.JSON
                && !Typing.isText(type)) {
            throw source.error(
                    Kind.TYPE_MISMATCH,
                    call.position(),
                    "JSON_QUERY returns JSON or text, not " + type + "; JSON_VALUE returns others");
        }
        return type;
    }

    /// Behavior ON EMPTY or ON ERROR.
    ///
    /// @param argument index of the argument with the DEFAULT value; -1 for the other kinds
    private record Substitute(OtherwiseKind kind, int argument) {}

    private @Nullable Substitute substitute(
            @Nullable Otherwise otherwise, Type type, List<Scalar> arguments) {
        if (otherwise == null) {
            return null;
        }
        if (otherwise.value() == null) {
            return new Substitute(otherwise.kind(), -1);
        }
        Scalar value = scalars.assign(otherwise.value(), type, "DEFAULT");
        Place place = source.at(otherwise.value().position());
        arguments.add(
                value.type().equals(type)
                        ? value
                        : Folding.fold(new Conversion(value, type, true, place)));
        return new Substitute(otherwise.kind(), arguments.size() - 1);
    }

    /// A call at run time.
    ///
    /// @param names names of the PASSING arguments, which follow value and path
    private record Run(
            JsonCall call,
            Type type,
            List<String> names,
            JsonBinder.CompiledPath compiled,
            @Nullable Substitute onEmpty,
            @Nullable Substitute onError,
            Place place,
            Place pathPlace) {
        @Nullable Object value(List<Scalar> arguments, Frame frame) {
            byte[] json = arguments.get(0).evalBytes(frame);
            JsonPath path = json == null ? null : compiled.path(arguments.get(1), frame);
            if (json == null || path == null) {
                return null;
            }
            Map<String, byte[]> passed = names.isEmpty() ? Map.of() : new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                byte[] value = JsonBinder.toJson(arguments.get(2 + i), frame, place);
                passed.put(
                        names.get(i),
                        value == null ? new JsonBuilder().putNull().toBytes() : value);
            }
            try {
                List<JsonItem> items = JsonPathRun.items(path, json, passed, pathPlace);
                if (call.kind() == JsonCall.Kind.EXISTS) {
                    return TextLibrary.truth(!items.isEmpty());
                }
                return items.isEmpty()
                        ? empty(arguments, frame)
                        : call.kind() == JsonCall.Kind.VALUE ? single(items) : whole(items);
            } catch (JsonPathRun.Failure failure) {
                return error(failure, arguments, frame);
            }
        }

        /// NULL if there is no ON EMPTY clause.
        private @Nullable Object empty(List<Scalar> arguments, Frame frame) {
            if (onEmpty == null) {
                return null;
            }
            if (onEmpty.kind() == OtherwiseKind.ERROR) {
                throw place.error(Kind.NO_JSON_ITEM, "The JSON path finds nothing");
            }
            return substituted(onEmpty, arguments, frame);
        }

        /// NULL if there is no ON ERROR clause; for JSON_EXISTS FALSE.
        private @Nullable Object error(
                JsonPathRun.Failure failure, List<Scalar> arguments, Frame frame) {
            if (onError == null) {
                return call.kind() == JsonCall.Kind.EXISTS ? 0L : null;
            }
            if (onError.kind() == OtherwiseKind.ERROR) {
                throw failure.at(place);
            }
            return substituted(onError, arguments, frame);
        }

        private @Nullable Object substituted(
                Substitute substitute, List<Scalar> arguments, Frame frame) {
            return switch (substitute.kind()) {
                case NULL, ERROR -> null;
                case TRUE -> 1L;
                case FALSE -> 0L;
                case EMPTY_ARRAY, EMPTY_OBJECT -> {
                    JsonBuilder out = new JsonBuilder();
                    boolean array = substitute.kind() == OtherwiseKind.EMPTY_ARRAY;
                    (array ? out.beginArray() : out.beginObject()).end();
                    yield as(out.toBytes());
                }
                case DEFAULT -> StrictCall.value(arguments.get(substitute.argument()), frame);
            };
        }

        /// Converts JSON to the type of JSON_QUERY.
        private Object as(byte[] json) {
            return type.name() == Type.Name.JSON ? json : Json.text(json);
        }

        private @Nullable Object single(List<JsonItem> items) {
            if (items.size() > 1) {
                throw new JsonPathRun.Failure(
                        Kind.SEVERAL_JSON_ITEMS,
                        "JSON_VALUE needs one value, the path finds " + items.size());
            }
            JsonItem item = items.getFirst();
            Scalar.Constant constant =
                    switch (item.kind()) {
                        case NULL -> null;
                        case STRING -> Scalar.Constant.of(Typing.TEXT, item.string());
                        case NUMBER ->
                                Typing.isNumber(type)
                                        ? Scalar.Constant.of(Typing.DECIMAL, item.number())
                                        : Scalar.Constant.of(
                                                Typing.TEXT, Json.text(item.json(), item.at()));
                        case BOOLEAN ->
                                Scalar.Constant.of(Typing.TEXT, Json.text(item.json(), item.at()));
                        case ARRAY, OBJECT ->
                                throw new JsonPathRun.Failure(
                                        Kind.JSON_KIND,
                                        "JSON_VALUE needs a single value; JSON_QUERY returns arrays"
                                                + " and objects");
                    };
            if (constant == null) {
                return null;
            }
            return type.name() == Type.Name.JSON ? item.alone() : converted(constant);
        }

        private @Nullable Object converted(Scalar.Constant constant) {
            try {
                return StrictCall.value(
                        new Conversion(constant, type, true, place), Frame.alone(new Tuple(0)));
            } catch (SqlException unfit) {
                throw new JsonPathRun.Failure(
                        unfit.kind(),
                        "The JSON value " + ScalarText.of(constant) + " cannot become " + type);
            }
        }

        private Object whole(List<JsonItem> items) {
            boolean wrap =
                    switch (call.clauses().wrapper()) {
                        case WITHOUT -> false;
                        case CONDITIONAL -> items.size() > 1;
                        case ALWAYS -> true;
                    };
            if (wrap) {
                return as(JsonBinder.arrayOf(items));
            }
            if (items.size() > 1) {
                throw new JsonPathRun.Failure(
                        Kind.SEVERAL_JSON_ITEMS,
                        "JSON_QUERY needs one value, the path finds "
                                + items.size()
                                + ": WITH WRAPPER makes an array of them");
            }
            JsonItem item = items.getFirst();
            if (!call.clauses().bare() || item.kind() != Json.Kind.STRING) {
                return as(item.alone());
            }
            String text = item.string();
            if (type.name() != Type.Name.JSON) {
                return text;
            }
            try {
                return Json.parse(text);
            } catch (IllegalArgumentException noJson) {
                throw new JsonPathRun.Failure(
                        Kind.INVALID_VALUE, String.valueOf(noJson.getMessage()));
            }
        }
    }
}
