package dev.oriel.sql.syntax;

import dev.oriel.sql.text.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Set-returning functions with the names they are called by in FROM.
public enum RowsFunction {
    UNNEST("UNNEST"),
    JSON_ARRAY_ELEMENTS("JSON_ARRAY_ELEMENTS", "JSONB_ARRAY_ELEMENTS"),
    JSON_ARRAY_ELEMENTS_TEXT("JSON_ARRAY_ELEMENTS_TEXT", "JSONB_ARRAY_ELEMENTS_TEXT"),
    JSON_EACH("JSON_EACH", "JSONB_EACH"),
    JSON_EACH_TEXT("JSON_EACH_TEXT", "JSONB_EACH_TEXT"),
    JSON_OBJECT_KEYS("JSON_OBJECT_KEYS", "JSONB_OBJECT_KEYS"),
    JSON_PATH_QUERY("JSONB_PATH_QUERY", "JSON_PATH_QUERY"),
    JSON_PATH_QUERY_TZ("JSONB_PATH_QUERY_TZ"),
    STRING_TO_TABLE("STRING_TO_TABLE"),
    REGEXP_SPLIT_TO_TABLE("REGEXP_SPLIT_TO_TABLE"),
    REGEXP_MATCHES("REGEXP_MATCHES");

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    /// The functions by their names in capitals.
    private static final Map<String, RowsFunction> BY_NAME = byName();

    RowsFunction(String... names) {
        this.names = List.of(names);
    }

    private static Map<String, RowsFunction> byName() {
        Map<String, RowsFunction> all = new HashMap<>();
        for (RowsFunction function : values()) {
            for (String name : function.names) {
                all.put(name, function);
            }
        }
        return all;
    }

    public List<String> names() {
        return names;
    }

    /// The function called `name`, or null.
    public static @Nullable RowsFunction of(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
    }

    /// Whether `token` is the name of one.
    static boolean is(Token token) {
        return token.kind() == Token.Kind.WORD && of(token.text()) != null;
    }

    /// The function of one value to which this one is rewritten; for most functions, itself.
    public RowsFunction spelled() {
        return switch (this) {
            case JSON_PATH_QUERY, JSON_PATH_QUERY_TZ -> JSON_ARRAY_ELEMENTS;
            case STRING_TO_TABLE, REGEXP_SPLIT_TO_TABLE -> UNNEST;
            default -> this;
        };
    }

    /// The argument of the function [#spelled], for a call `call` of this one.
    public Expression.Call spelled(Expression.Call call) {
        Function inner =
                switch (this) {
                    case JSON_PATH_QUERY -> Function.JSON_PATH_QUERY_ARRAY;
                    case JSON_PATH_QUERY_TZ -> Function.JSON_PATH_QUERY_ARRAY_TZ;
                    case STRING_TO_TABLE -> Function.STRING_TO_ARRAY;
                    case REGEXP_SPLIT_TO_TABLE -> Function.REGEXP_SPLIT_TO_ARRAY;
                    case REGEXP_MATCHES -> Function.REGEXP_MATCHES;
                    default -> null;
                };
        if (inner == null) {
            return call;
        }
        Expression.Call value =
                new Expression.Call(
                        call.position(),
                        inner.called(),
                        call.arguments(),
                        call.distinct(),
                        call.star(),
                        call.extras());
        return new Expression.Call(call.position(), spelled().names().getFirst(), List.of(value));
    }

    /// Whether its only column keeps its name, and does not take that of the table.
    public boolean namesColumn() {
        return this == JSON_ARRAY_ELEMENTS || this == JSON_ARRAY_ELEMENTS_TEXT;
    }

    /// The column names. A function with one column has the table's name for it, except as in [#namesColumn].
    public List<String> columns() {
        return switch (this) {
            case UNNEST,
                    JSON_ARRAY_ELEMENTS,
                    JSON_ARRAY_ELEMENTS_TEXT,
                    JSON_OBJECT_KEYS,
                    JSON_PATH_QUERY,
                    JSON_PATH_QUERY_TZ,
                    STRING_TO_TABLE,
                    REGEXP_SPLIT_TO_TABLE,
                    REGEXP_MATCHES ->
                    List.of("value");
            case JSON_EACH, JSON_EACH_TEXT -> List.of("key", "value");
        };
    }
}
