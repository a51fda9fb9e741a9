package dev.oriel.sql.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Aggregate functions with the names they are called by.
public enum AggregateFunction {
    COUNT(1, "COUNT"),
    SUM(1, "SUM"),
    AVG(1, "AVG", "MEAN"),
    MIN(1, "MIN"),
    MAX(1, "MAX"),
    BOOL_AND(1, "BOOL_AND", "EVERY"),
    BOOL_OR(1, "BOOL_OR", "SOME"),
    BIT_AND(1, "BIT_AND", "BIT_AND_AGG"),
    BIT_OR(1, "BIT_OR", "BIT_OR_AGG"),
    BIT_XOR(1, "BIT_XOR"),
    STRING_AGG(2, "STRING_AGG", "LISTAGG"),
    ANY_VALUE(1, "ANY_VALUE"),
    VAR_SAMP(1, "VAR_SAMP", "VARIANCE", "VAR"),
    VAR_POP(1, "VAR_POP"),
    STDDEV_SAMP(1, "STDDEV_SAMP", "STDDEV"),
    STDDEV_POP(1, "STDDEV_POP"),
    COVAR_SAMP(2, "COVAR_SAMP", "COVAR"),
    COVAR_POP(2, "COVAR_POP"),
    CORR(2, "CORR"),
    REGR_SLOPE(2, "REGR_SLOPE"),
    REGR_INTERCEPT(2, "REGR_INTERCEPT"),
    REGR_COUNT(2, "REGR_COUNT"),
    REGR_R2(2, "REGR_R2"),
    REGR_SXX(2, "REGR_SXX"),
    REGR_SYY(2, "REGR_SYY"),
    REGR_SXY(2, "REGR_SXY"),
    REGR_AVGX(2, "REGR_AVGX"),
    REGR_AVGY(2, "REGR_AVGY"),
    PERCENTILE_CONT(1, "PERCENTILE_CONT"),
    PERCENTILE_DISC(1, "PERCENTILE_DISC"),
    MODE(0, "MODE"),
    ARRAY_AGG(1, "ARRAY_AGG"),
    JSON_AGG(1, "JSON_AGG", "JSONB_AGG"),
    JSON_ARRAYAGG(1, "JSON_ARRAYAGG"),
    JSON_OBJECTAGG(2, "JSON_OBJECTAGG", "JSON_OBJECT_AGG", "JSONB_OBJECT_AGG"),
    JSON_OBJECTAGG_ABSENT(2, "JSON_OBJECTAGG ABSENT"),
    JAVA_AGGREGATE(1, "JAVA_AGGREGATE");

    private final int arguments;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    AggregateFunction(int arguments, String... names) {
        this.arguments = arguments;
        this.names = List.of(names);
    }

    /// The usual name.
    String called() {
        return names.getFirst();
    }

    /// Whether NULL inputs are kept, since they may become part of the result.
    public boolean keepsNull() {
        return compareTo(ARRAY_AGG) >= 0;
    }

    /// Whether the result holds every input, and so grows with their number.
    public boolean collects() {
        return this == STRING_AGG || (keepsNull() && this != JAVA_AGGREGATE);
    }

    /// The names by which it is called.
    public List<String> callable() {
        return this == JAVA_AGGREGATE
                ? List.of()
                : names.stream().filter(name -> name.indexOf(' ') < 0).toList();
    }

    /// Number of arguments.
    public int arguments() {
        return arguments;
    }

    /// Whether it is an ordered-set aggregate, called with WITHIN GROUP.
    public boolean ordered() {
        return this == PERCENTILE_CONT || this == PERCENTILE_DISC || this == MODE;
    }

    /// Whether duplicate rows do not change the result.
    public boolean sameForOnce() {
        return switch (this) {
            case MIN, MAX, BOOL_AND, BOOL_OR, BIT_AND, BIT_OR, ANY_VALUE -> true;
            case COUNT,
                    SUM,
                    AVG,
                    BIT_XOR,
                    STRING_AGG,
                    VAR_SAMP,
                    VAR_POP,
                    STDDEV_SAMP,
                    STDDEV_POP,
                    COVAR_SAMP,
                    COVAR_POP,
                    CORR,
                    REGR_SLOPE,
                    REGR_INTERCEPT,
                    REGR_COUNT,
                    REGR_R2,
                    REGR_SXX,
                    REGR_SYY,
                    REGR_SXY,
                    REGR_AVGX,
                    REGR_AVGY,
                    PERCENTILE_CONT,
                    PERCENTILE_DISC,
                    MODE,
                    ARRAY_AGG,
                    JSON_AGG,
                    JSON_ARRAYAGG,
                    JSON_OBJECTAGG,
                    JSON_OBJECTAGG_ABSENT,
                    JAVA_AGGREGATE ->
                    false;
        };
    }

    /// The aggregate called `name`, or null.
    public static @Nullable AggregateFunction of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (AggregateFunction function : values()) {
            if (function.names.contains(upper)) {
                return function;
            }
        }
        return null;
    }

    /// The names of all aggregates.
    public static List<String> allNames() {
        List<String> all = new ArrayList<>();
        for (AggregateFunction function : values()) {
            all.addAll(function.callable());
        }
        return all;
    }
}
