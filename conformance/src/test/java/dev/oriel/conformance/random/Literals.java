package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.List;

/// Values that are few, so that they meet, and some that are at the edge of their type.
final class Literals {
    private static final List<String> INTEGERS =
            List.of("0", "1", "2", "3", "(-1)", "(-2)", "7", "10", "100");
    private static final List<String> INTEGER_EDGES = List.of("2147483647", "(-2147483647)");
    private static final List<String> BIGINTS =
            List.of("0", "1", "2", "3", "-1", "7", "2147483648", "-5000000000");
    private static final List<String> BIGINT_EDGES =
            List.of("9223372036854775807", "-9223372036854775807");
    private static final List<String> DECIMALS =
            List.of("0.00", "1.00", "2.00", "1.50", "(-2.25)", "0.01", "10.00", "3.99");
    private static final List<String> DECIMAL_EDGES =
            List.of("999999999999.99", "(-999999999999.99)");
    private static final List<String> DOUBLES =
            List.of("0", "1", "2", "0.5", "-1.5", "3.25", "1000000", "-0.125");
    private static final List<String> DOUBLE_EDGES = List.of("1E300", "-1E-300");
    private static final List<String> DOUBLE_ODDITIES = List.of("'NaN'", "'Infinity'", "-0.0E0");
    private static final List<String> TEXTS =
            List.of("''", "'a'", "'b'", "'ab'", "'B'", "'abc'", "'1'", "'10'", "'a b'", "'it''s'");
    private static final List<String> TEXT_EDGES =
            List.of("'a '", "' a'", "'%'", "'a_c'", "'\u65e5\u672c'", "'$1'");
    private static final List<String> DATES =
            List.of(
                    "'2024-02-29'",
                    "'2024-01-01'",
                    "'2024-01-02'",
                    "'1999-12-31'",
                    "'2000-03-01'",
                    "'2023-12-31'");
    private static final List<String> DATE_EDGES = List.of("'0001-01-01'", "'9999-12-31'");
    private static final List<String> TIMESTAMPS =
            List.of(
                    "'2024-02-29 00:00:00'",
                    "'2024-02-29 12:30:00.25'",
                    "'2024-01-01 00:00:00'",
                    "'1999-12-31 23:59:59.999999'",
                    "'2024-01-31 06:00:00'");
    private static final List<String> TIMESTAMP_EDGES =
            List.of("'0001-01-01 00:00:00'", "'9999-12-31 23:59:59'");
    private static final List<String> PATTERNS =
            List.of("'a%'", "'%b'", "'%a%'", "'_'", "'a_c'", "'%'", "''", "'ab'", "'1%'", "'a b%'");

    private final Gen gen;
    private final boolean odd;

    /// @param odd whether values are made that databases differ about, as NaN
    Literals(Gen gen, boolean odd) {
        this.gen = gen;
        this.odd = odd;
    }

    /// A value of `sort`, now and then NULL.
    Piece of(Sort sort) {
        return gen.chance(6) ? nothing(sort) : value(sort);
    }

    /// NULL of `sort`.
    static Piece nothing(Sort sort) {
        return Piece.leaf(sort, "CAST(NULL AS " + sort.type + ")");
    }

    /// A value of `sort` that is not NULL.
    Piece value(Sort sort) {
        boolean edge = gen.chance(7);
        return switch (sort) {
            case INTEGER -> Piece.leaf(sort, gen.pick(edge ? INTEGER_EDGES : INTEGERS));
            case BIGINT -> cast(sort, gen.pick(edge ? BIGINT_EDGES : BIGINTS));
            case DECIMAL -> Piece.leaf(sort, gen.pick(edge ? DECIMAL_EDGES : DECIMALS));
            case DOUBLE ->
                    cast(
                            sort,
                            gen.pick(
                                    !edge
                                            ? DOUBLES
                                            : odd && gen.chance(60)
                                                    ? DOUBLE_ODDITIES
                                                    : DOUBLE_EDGES));
            case TEXT ->
                    Piece.of(
                            sort, "$1", Piece.fixed(gen.pick(gen.chance(15) ? TEXT_EDGES : TEXTS)));
            case BOOLEAN -> Piece.leaf(sort, gen.chance(50) ? "TRUE" : "FALSE");
            case DATE ->
                    Piece.of(sort, "DATE $1", Piece.fixed(gen.pick(edge ? DATE_EDGES : DATES)));
            case TIMESTAMP ->
                    Piece.of(
                            sort,
                            "TIMESTAMP $1",
                            Piece.fixed(gen.pick(edge ? TIMESTAMP_EDGES : TIMESTAMPS)));
            case SMALL -> Piece.leaf(sort, Integer.toString(gen.below(5)));
            case PATTERN -> Piece.leaf(sort, gen.pick(PATTERNS));
            case QUERY, SOURCE, CLAUSE, LIST, PART, FIXED ->
                    throw new IllegalArgumentException(sort + " has no values");
        };
    }

    private static Piece cast(Sort sort, String value) {
        return Piece.of(sort, "CAST($1 AS " + sort.type + ")", Piece.fixed(value));
    }
}
