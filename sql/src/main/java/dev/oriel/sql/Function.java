package dev.oriel.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The functions of one row, with the names they are called by.
enum Function {
    LOWER(1, 1, "LOWER", "LCASE"),
    UPPER(1, 1, "UPPER", "UCASE"),
    LENGTH(1, 1, "LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH", "LEN"),
    OCTET_LENGTH(1, 1, "OCTET_LENGTH"),
    SUBSTRING(2, 3, "SUBSTRING", "SUBSTR"),
    TRIM(1, 2, "TRIM", "BTRIM"),
    LTRIM(1, 2, "LTRIM"),
    RTRIM(1, 2, "RTRIM"),
    REPLACE(3, 3, "REPLACE"),
    CONCAT(0, Integer.MAX_VALUE, "CONCAT"),
    LEFT(2, 2, "LEFT"),
    RIGHT(2, 2, "RIGHT"),
    ABS(1, 1, "ABS"),
    SIGN(1, 1, "SIGN"),
    ROUND(1, 2, "ROUND"),
    FLOOR(1, 1, "FLOOR"),
    CEIL(1, 1, "CEIL", "CEILING"),
    MOD(2, 2, "MOD"),
    COALESCE(1, Integer.MAX_VALUE, "COALESCE", "NVL", "IFNULL"),
    NULLIF(2, 2, "NULLIF"),
    CURRENT_DATE(0, 0, "CURRENT_DATE"),
    CURRENT_TIME(0, 0, "CURRENT_TIME"),
    CURRENT_TIMESTAMP(0, 0, "CURRENT_TIMESTAMP", "NOW"),
    LOCALTIMESTAMP(0, 0, "LOCALTIMESTAMP");

    private final int least;
    private final int most;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    Function(int least, int most, String... names) {
        this.least = least;
        this.most = most;
        this.names = List.of(names);
    }

    boolean takes(int arguments) {
        return arguments >= least && arguments <= most;
    }

    /// How many arguments it takes, in words.
    String arity() {
        if (least == most) {
            return least == 0 ? "no arguments" : least == 1 ? "1 argument" : least + " arguments";
        }
        return most == Integer.MAX_VALUE
                ? least + " arguments or more"
                : least + " to " + most + " arguments";
    }

    /// The function that is called `name`, or null.
    static @Nullable Function of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (Function function : values()) {
            if (function.names.contains(upper)) {
                return function;
            }
        }
        return null;
    }

    /// The names of all functions and aggregates.
    static List<String> allNames() {
        List<String> names = new ArrayList<>();
        for (Function function : values()) {
            names.addAll(function.names);
        }
        for (AggregateCall.Kind kind : AggregateCall.Kind.values()) {
            names.add(kind.name());
        }
        return names;
    }
}
