package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes groups, aggregates and windows.
final class Groups {
    private final Gen gen;
    private final boolean ours;
    private final Expressions expressions;

    Groups(Gen gen, boolean ours, Expressions expressions) {
        this.gen = gen;
        this.ours = ours;
        this.expressions = expressions;
    }

    /// A select of groups of the rows of `scope`.
    Select select(Scope scope, @Nullable Piece where) {
        List<Piece> keys = keys(scope);
        List<Piece> items = new ArrayList<>();
        for (Piece key : keys) {
            if (gen.chance(80)) {
                items.add(key);
            }
        }
        int aggregates = 1 + gen.below(3);
        for (int i = 0; i < aggregates; i++) {
            items.add(aggregate(scope));
        }
        boolean sets = !keys.isEmpty() && gen.chance(25);
        Select select =
                Select.of(Queries.named(items), scope.sources().getFirst().piece()).where(where);
        if (!keys.isEmpty()) {
            select = select.group(sets ? sets(keys) : Piece.list(", ", keys));
        }
        return gen.chance(35) ? select.having(having(scope, keys)) : select;
    }

    /// Up to two columns or expressions of such, each once.
    List<Piece> keys(Scope scope) {
        List<Piece> keys = new ArrayList<>();
        int count = gen.weighted(20, 50, 30);
        for (int i = 0; i < count; i++) {
            Piece key = gen.chance(25) ? computed(scope) : gen.pick(scope.own());
            if (!keys.contains(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    /// An expression of a column, which asks no query.
    private Piece computed(Scope scope) {
        Piece column = gen.pick(scope.own());
        Piece made = expressions.filled(column, new Scope(scope.sources(), null));
        return made.all().anyMatch(piece -> piece.sort() == Sort.QUERY) ? column : made;
    }

    private Piece sets(List<Piece> keys) {
        Piece list = Piece.list(", ", keys);
        return switch (gen.below(3)) {
            case 0 -> Piece.of(Sort.PART, "ROLLUP ($1)", list);
            case 1 -> Piece.of(Sort.PART, "CUBE ($1)", list);
            default -> Piece.of(Sort.PART, "GROUPING SETS (($1), ($2), ())", list, keys.getFirst());
        };
    }

    /// A condition on groups.
    Piece having(Scope scope, List<Piece> keys) {
        Piece aggregate = aggregate(scope);
        Piece tested =
                Piece.of(
                        Sort.BOOLEAN,
                        gen.pick(List.of("($1 > $2)", "($1 <= $2)", "($1 <> $2)", "($1 = $2)")),
                        aggregate,
                        new Literals(gen, ours).of(aggregate.sort()));
        if (keys.isEmpty() || gen.chance(60)) {
            return tested;
        }
        Piece key = gen.pick(keys);
        return Piece.of(
                Sort.BOOLEAN,
                gen.chance(50) ? "($1 AND $2)" : "($1 OR $2)",
                tested,
                gen.chance(50)
                        ? Piece.of(Sort.BOOLEAN, "($1 IS NOT NULL)", key)
                        : Piece.of(
                                Sort.BOOLEAN,
                                "($1 >= $2)",
                                key,
                                new Literals(gen, ours).of(key.sort())));
    }

    /// An aggregate of the rows of `scope`.
    Piece aggregate(Scope scope) {
        Scope own = new Scope(scope.sources(), null);
        Piece bare = bare(own);
        return gen.chance(15)
                ? Piece.of(bare.sort(), "$1 FILTER (WHERE $2)", bare, expressions.condition(own, 1))
                : bare;
    }

    private Piece bare(Scope scope) {
        Sort sort = expressions.sortOf(scope);
        Piece of =
                gen.chance(70)
                        ? expressions.column(sort, scope)
                        : expressions.value(sort, scope, 1);
        switch (gen.below(10)) {
            case 0, 1 -> {
                return Piece.leaf(Sort.BIGINT, "COUNT(*)");
            }
            case 2 -> {
                return Piece.of(Sort.BIGINT, "COUNT($1)", of);
            }
            case 3 -> {
                return Piece.of(Sort.BIGINT, "COUNT(DISTINCT $1)", of);
            }
            default -> {}
        }
        return switch (sort) {
            case INTEGER ->
                    gen.chance(60)
                            ? Piece.of(Sort.BIGINT, summing("SUM"), of)
                            : Piece.of(sort, extreme(), of);
            case BIGINT, DECIMAL ->
                    gen.chance(50)
                            ? Piece.of(Sort.DECIMAL, summing("SUM"), of)
                            : Piece.of(sort, extreme(), of);
            case DOUBLE, DATE, TIMESTAMP -> Piece.of(sort, extreme(), of);
            case TEXT ->
                    gen.chance(40)
                            ? Piece.of(sort, "STRING_AGG($1, '-' ORDER BY $1)", of)
                            : Piece.of(sort, extreme(), of);
            case BOOLEAN -> Piece.of(sort, gen.chance(50) ? "BOOL_AND($1)" : "BOOL_OR($1)", of);
            case SMALL, PATTERN, QUERY, SOURCE, CLAUSE, LIST, PART, FIXED ->
                    throw new IllegalStateException(sort + " is no value");
        };
    }

    private String summing(String name) {
        return gen.chance(20) ? name + "(DISTINCT $1)" : name + "($1)";
    }

    private String extreme() {
        return gen.chance(50) ? "MIN($1)" : "MAX($1)";
    }

    /// A function of a window. Where it depends on the order of rows, the order is one of all keys.
    Piece window(Scope scope) {
        Scope own = new Scope(scope.sources(), null);
        Piece partition =
                gen.chance(65)
                        ? Piece.clause(
                                "PARTITION BY $1", expressions.column(expressions.sortOf(own), own))
                        : Piece.NONE;
        List<Piece> key = scope.key();
        Piece by = expressions.column(expressions.sortOf(own), own);
        String direction = gen.chance(50) ? " ASC NULLS FIRST" : " DESC NULLS LAST";
        if (key.isEmpty() || gen.chance(25)) {
            Piece order = Piece.of(Sort.FIXED, " ORDER BY $1" + direction, by);
            String function = gen.pick(List.of("RANK()", "DENSE_RANK()", ""));
            if (function.isEmpty()) {
                Piece aggregate = bare(own);
                boolean ordered =
                        !aggregate.form().contains("DISTINCT")
                                && !aggregate.form().contains("ORDER");
                return ordered
                        ? Piece.of(
                                aggregate.sort(),
                                "$1 OVER ($2$3)",
                                aggregate,
                                partition,
                                gen.chance(60) ? order : Piece.NONE)
                        : Piece.of(Sort.BIGINT, "RANK() OVER ($1$2)", partition, order);
            }
            return Piece.of(Sort.BIGINT, function + " OVER ($1$2)", partition, order);
        }
        List<Piece> terms = new ArrayList<>();
        terms.add(by);
        terms.addAll(key);
        StringBuilder form = new StringBuilder(" ORDER BY ");
        for (int i = 0; i < terms.size(); i++) {
            form.append(i == 0 ? "" : ", ").append('$').append(i + 1).append(direction);
        }
        Piece order = new Piece(Sort.FIXED, form.toString(), List.copyOf(terms));
        return positional(own, partition, order);
    }

    private Piece positional(Scope own, Piece partition, Piece order) {
        Sort sort = expressions.sortOf(own);
        Piece of = expressions.column(sort, own);
        return switch (gen.below(7)) {
            case 0, 1 -> Piece.of(Sort.BIGINT, "ROW_NUMBER() OVER ($1$2)", partition, order);
            case 2 -> Piece.of(Sort.INTEGER, "NTILE(3) OVER ($1$2)", partition, order);
            case 3 ->
                    Piece.of(
                            sort,
                            gen.chance(50) ? "LAG($1) OVER ($2$3)" : "LEAD($1, 2) OVER ($2$3)",
                            of,
                            partition,
                            order);
            case 4 ->
                    Piece.of(
                            sort,
                            "FIRST_VALUE($1) OVER ($2$3" + frame() + ")",
                            of,
                            partition,
                            order);
            default -> {
                Piece counted =
                        sort == Sort.INTEGER && gen.chance(60)
                                ? Piece.of(Sort.BIGINT, "SUM($1)", of)
                                : gen.chance(50) && sort != Sort.BOOLEAN
                                        ? Piece.of(sort, extreme(), of)
                                        : Piece.of(Sort.BIGINT, "COUNT($1)", of);
                yield Piece.of(
                        counted.sort(), "$1 OVER ($2$3" + frame() + ")", counted, partition, order);
            }
        };
    }

    private String frame() {
        String start =
                gen.pick(
                        List.of(
                                "UNBOUNDED PRECEDING",
                                "2 PRECEDING",
                                "1 PRECEDING",
                                "CURRENT ROW"));
        String end = gen.pick(List.of("CURRENT ROW", "1 FOLLOWING", "UNBOUNDED FOLLOWING"));
        String unit = gen.chance(75) ? "ROWS" : "GROUPS";
        return " %s BETWEEN %s AND %s".formatted(unit, start, end);
    }
}
