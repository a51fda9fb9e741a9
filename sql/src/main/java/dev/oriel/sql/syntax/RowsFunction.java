package dev.oriel.sql.syntax;

import dev.oriel.sql.text.Token;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The functions that make rows of one value, with the names that they are called by in FROM.
public enum RowsFunction {
    UNNEST("UNNEST"),
    JSON_ARRAY_ELEMENTS("JSON_ARRAY_ELEMENTS", "JSONB_ARRAY_ELEMENTS"),
    JSON_ARRAY_ELEMENTS_TEXT("JSON_ARRAY_ELEMENTS_TEXT", "JSONB_ARRAY_ELEMENTS_TEXT"),
    JSON_EACH("JSON_EACH", "JSONB_EACH"),
    JSON_EACH_TEXT("JSON_EACH_TEXT", "JSONB_EACH_TEXT"),
    JSON_OBJECT_KEYS("JSON_OBJECT_KEYS", "JSONB_OBJECT_KEYS");

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    RowsFunction(String... names) {
        this.names = List.of(names);
    }

    public List<String> names() {
        return names;
    }

    /// The function that is called `name`, or null.
    public static @Nullable RowsFunction of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (RowsFunction function : values()) {
            if (function.names.contains(upper)) {
                return function;
            }
        }
        return null;
    }

    /// Whether `token` is the name of one.
    static boolean is(Token token) {
        return token.kind() == Token.Kind.WORD && of(token.text()) != null;
    }

    /// What the columns are called; the one of a function with one column is called as the table is.
    public List<String> columns() {
        return switch (this) {
            case UNNEST, JSON_ARRAY_ELEMENTS, JSON_ARRAY_ELEMENTS_TEXT, JSON_OBJECT_KEYS ->
                    List.of("value");
            case JSON_EACH, JSON_EACH_TEXT -> List.of("key", "value");
        };
    }
}
