package dev.oriel.sql.syntax;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Aggregate functions: traits, number of arguments, and the names they are called by.
public enum AggregateFunction {
    COUNT(1, "COUNT"),
    SUM(1, "SUM"),
    AVG(1, "AVG", "MEAN"),
    MIN(Trait.ONCE, 1, "MIN"),
    MAX(Trait.ONCE, 1, "MAX"),
    BOOL_AND(Trait.ONCE, 1, "BOOL_AND", "EVERY"),
    BOOL_OR(Trait.ONCE, 1, "BOOL_OR", "SOME"),
    BIT_AND(Trait.ONCE, 1, "BIT_AND", "BIT_AND_AGG"),
    BIT_OR(Trait.ONCE, 1, "BIT_OR", "BIT_OR_AGG"),
    BIT_XOR(1, "BIT_XOR"),
    STRING_AGG(Trait.COLLECTS, 2, "STRING_AGG", "LISTAGG"),
    ANY_VALUE(Trait.ONCE, 1, "ANY_VALUE"),
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
    PERCENTILE_CONT(Trait.ORDERED, 1, "PERCENTILE_CONT"),
    PERCENTILE_DISC(Trait.ORDERED, 1, "PERCENTILE_DISC"),
    MODE(Trait.ORDERED, 0, "MODE"),
    ARRAY_AGG(Trait.COLLECTS | Trait.NULLS, 1, "ARRAY_AGG"),
    JSON_AGG(Trait.COLLECTS | Trait.NULLS, 1, "JSON_AGG", "JSONB_AGG"),
    JSON_ARRAYAGG(Trait.COLLECTS | Trait.NULLS, 1, "JSON_ARRAYAGG"),
    JSON_OBJECTAGG(
            Trait.COLLECTS | Trait.NULLS,
            2,
            "JSON_OBJECTAGG",
            "JSON_OBJECT_AGG",
            "JSONB_OBJECT_AGG"),
    JSON_OBJECTAGG_ABSENT(Trait.COLLECTS | Trait.NULLS, 2, "JSON_OBJECTAGG ABSENT"),
    JAVA_AGGREGATE(Trait.NULLS, 1, "JAVA_AGGREGATE");

    /// Traits, as bits; constants of the compiler.
    private static final class Trait {
        /// Duplicate rows do not change the result.
        static final int ONCE = 1;

        /// The result holds every input, and so grows with their number.
        static final int COLLECTS = 1 << 1;

        /// NULL inputs are kept, since they may become part of the result.
        static final int NULLS = 1 << 2;

        /// Called with WITHIN GROUP.
        static final int ORDERED = 1 << 3;
    }

    /// The aggregates by their names in capitals.
    private static final Map<String, AggregateFunction> BY_NAME = byName();

    private final int traits;
    private final int arguments;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    AggregateFunction(int arguments, String... names) {
        this(0, arguments, names);
    }

    AggregateFunction(int traits, int arguments, String... names) {
        this.traits = traits;
        this.arguments = arguments;
        this.names = List.of(names);
    }

    private static Map<String, AggregateFunction> byName() {
        Map<String, AggregateFunction> all = new HashMap<>();
        for (AggregateFunction function : values()) {
            for (String name : function.names) {
                all.put(name, function);
            }
        }
        return all;
    }

    private boolean has(int trait) {
        return (traits & trait) != 0;
    }

    /// The usual name.
    String called() {
        return names.getFirst();
    }

    /// Whether NULL inputs are kept, since they may become part of the result.
    public boolean keepsNull() {
        return has(Trait.NULLS);
    }

    /// Whether the result holds every input, and so grows with their number.
    public boolean collects() {
        return has(Trait.COLLECTS);
    }

    /// The names by which it is called.
    public List<String> callable() {
        List<String> callable = new ArrayList<>();
        for (String name : names) {
            if (this != JAVA_AGGREGATE && name.indexOf(' ') < 0) {
                callable.add(name);
            }
        }
        return callable;
    }

    /// Number of arguments.
    public int arguments() {
        return arguments;
    }

    /// Whether it is an ordered-set aggregate, called with WITHIN GROUP.
    public boolean ordered() {
        return has(Trait.ORDERED);
    }

    /// Whether duplicate rows do not change the result.
    public boolean sameForOnce() {
        return has(Trait.ONCE);
    }

    /// The aggregate called `name`, or null.
    public static @Nullable AggregateFunction of(String name) {
        return BY_NAME.get(name.toUpperCase(Locale.ROOT));
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
