package dev.oriel.sql;

import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An aggregate of a query.
///
/// @param arguments none for COUNT(*)
/// @param order in which the rows are taken in; empty where it does not matter
/// @param filter which rows count; null where all do
/// @param java what is called where it is written in Java; its name is the first argument then
record AggregateCall(
        Kind kind,
        List<Scalar> arguments,
        boolean distinct,
        List<SortTerm> order,
        @Nullable Scalar filter,
        Type type,
        SqlText.Place place,
        @Nullable JavaAggregate java) {
    /// What rows are sorted by, before it has a column of its own.
    record SortTerm(Scalar scalar, boolean descending, boolean nullsFirst) {}

    enum Kind {
        COUNT(1, "COUNT"),
        SUM(1, "SUM"),
        AVG(1, "AVG"),
        MIN(1, "MIN"),
        MAX(1, "MAX"),
        BOOL_AND(1, "BOOL_AND", "EVERY"),
        BOOL_OR(1, "BOOL_OR"),
        BIT_AND(1, "BIT_AND"),
        BIT_OR(1, "BIT_OR"),
        BIT_XOR(1, "BIT_XOR"),
        STRING_AGG(2, "STRING_AGG", "LISTAGG"),
        ANY_VALUE(1, "ANY_VALUE"),
        VAR_SAMP(1, "VAR_SAMP", "VARIANCE"),
        VAR_POP(1, "VAR_POP"),
        STDDEV_SAMP(1, "STDDEV_SAMP", "STDDEV"),
        STDDEV_POP(1, "STDDEV_POP"),
        COVAR_SAMP(2, "COVAR_SAMP"),
        COVAR_POP(2, "COVAR_POP"),
        CORR(2, "CORR"),
        REGR_SLOPE(2, "REGR_SLOPE"),
        REGR_INTERCEPT(2, "REGR_INTERCEPT"),
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

        Kind(int arguments, String... names) {
            this.arguments = arguments;
            this.names = List.of(names);
        }

        /// What it is usually called.
        String called() {
            return names.getFirst();
        }

        /// Whether it makes something of which NULL may be a part.
        boolean keepsNull() {
            return compareTo(ARRAY_AGG) >= 0;
        }

        /// Whether it puts together all that it is given.
        boolean collects() {
            return this == STRING_AGG || (keepsNull() && this != JAVA_AGGREGATE);
        }

        /// The names by which it is called.
        List<String> callable() {
            return this == JAVA_AGGREGATE
                    ? List.of()
                    : names.stream().filter(name -> name.indexOf(' ') < 0).toList();
        }

        /// How many arguments it takes.
        int arguments() {
            return arguments;
        }

        /// Whether what it aggregates stands after WITHIN GROUP.
        boolean ordered() {
            return this == PERCENTILE_CONT || this == PERCENTILE_DISC || this == MODE;
        }

        /// Whether rows that come twice change nothing.
        boolean sameForOnce() {
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

        /// The aggregate that is called `name`, or null.
        static @Nullable Kind of(String name) {
            String upper = name.toUpperCase(Locale.ROOT);
            for (Kind kind : values()) {
                if (kind.names.contains(upper)) {
                    return kind;
                }
            }
            return null;
        }

        /// What all of them are called.
        static List<String> allNames() {
            List<String> all = new ArrayList<>();
            for (Kind kind : values()) {
                all.addAll(kind.callable());
            }
            return all;
        }
    }

    /// Whether its state grows with the rows that it has seen.
    boolean grows() {
        return !order.isEmpty() || kind.collects() || (distinct && !kind.sameForOnce());
    }

    /// The expressions that it evaluates on each row.
    List<Scalar> scalars() {
        List<Scalar> scalars = new ArrayList<>(arguments);
        order.forEach(term -> scalars.add(term.scalar()));
        if (filter != null) {
            scalars.add(filter);
        }
        return scalars;
    }

    /// The same with what `leaf` makes of each of the columns that it reads.
    AggregateCall replaced(UnaryOperator<Scalar> leaf) {
        return new AggregateCall(
                kind,
                Replacement.of(arguments, leaf),
                distinct,
                replaced(order, leaf),
                filter == null ? null : Replacement.of(filter, leaf),
                type,
                place,
                java);
    }

    /// `terms` with what `leaf` makes of each of the columns that they read.
    static List<SortTerm> replaced(List<SortTerm> terms, UnaryOperator<Scalar> leaf) {
        List<SortTerm> replaced = new ArrayList<>();
        for (SortTerm term : terms) {
            Scalar scalar = Replacement.of(term.scalar(), leaf);
            replaced.add(new SortTerm(scalar, term.descending(), term.nullsFirst()));
        }
        return List.copyOf(replaced);
    }

    /// As SQL; `identity` tells whether for comparison or for people.
    String text(boolean identity) {
        StringBuilder text = new StringBuilder(kind.name()).append('(');
        text.append(distinct ? "DISTINCT " : "");
        boolean star = kind == Kind.COUNT && arguments.isEmpty();
        List<String> written = new ArrayList<>();
        arguments.forEach(argument -> written.add(written(argument, identity)));
        text.append(star ? "*" : String.join(", ", written));
        if (!order.isEmpty()) {
            text.append(kind.ordered() ? ") WITHIN GROUP (ORDER BY " : " ORDER BY ");
            text.append(written(order, identity));
        }
        text.append(')');
        if (filter != null) {
            text.append(" FILTER (").append(written(filter, identity)).append(')');
        }
        return text.toString();
    }

    /// The terms of an ORDER BY as SQL.
    static String written(List<SortTerm> terms, boolean identity) {
        List<String> written = new ArrayList<>();
        for (SortTerm term : terms) {
            written.add(
                    written(term.scalar(), identity)
                            + (term.descending() ? " DESC" : "")
                            + (term.nullsFirst() == term.descending()
                                    ? ""
                                    : term.nullsFirst() ? " NULLS FIRST" : " NULLS LAST"));
        }
        return String.join(", ", written);
    }

    private static String written(Scalar scalar, boolean identity) {
        return identity ? ScalarText.identity(scalar) : ScalarText.of(scalar);
    }
}
