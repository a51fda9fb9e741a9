package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;

/// Makes expressions.
final class Expressions {
    private static final List<String> COMPARISONS =
            List.of("=", "=", "=", "<>", "<", "<=", ">", ">=");

    private final Gen gen;
    private final boolean ours;
    private final Literals literals;
    private final Queries queries;

    /// @param ours whether forms are used that hardly any other database has
    Expressions(Gen gen, boolean ours, Queries queries) {
        this.gen = gen;
        this.ours = ours;
        this.queries = queries;
        literals = new Literals(gen, ours);
    }

    /// A value of `sort`.
    ///
    /// @param depth how many forms may be within each other
    Piece value(Sort sort, Scope scope, int depth) {
        if (!sort.isValue()) {
            return literals.value(sort);
        }
        if (sort == Sort.BOOLEAN && gen.chance(70)) {
            return condition(scope, depth);
        }
        if (depth <= 0 || gen.chance(40)) {
            return gen.chance(75) ? column(sort, scope) : literals.of(sort);
        }
        if (gen.chance(5) && queries.mayNest()) {
            return queries.scalar(sort, scope);
        }
        return filled(gen.pick(Form.of(sort, ours)), scope, depth);
    }

    /// A form that takes what `column` is, filled with it and with other values.
    Piece filled(Piece column, Scope scope) {
        List<Form> fitting =
                Sort.VALUES.stream()
                        .flatMap(sort -> Form.of(sort, ours).stream())
                        .filter(form -> form.takes().contains(column.sort()))
                        .toList();
        Form form = gen.pick(fitting);
        Piece filled = filled(form, scope, 1);
        return filled.with(form.takes().indexOf(column.sort()), column);
    }

    private Piece filled(Form form, Scope scope, int depth) {
        List<Piece> parts = new ArrayList<>();
        for (Sort sort : form.takes()) {
            parts.add(value(sort, scope, depth - 1));
        }
        return new Piece(form.result(), form.text(), List.copyOf(parts));
    }

    /// A column of `sort`, or a literal where there is none.
    Piece column(Sort sort, Scope scope) {
        List<Piece> from = gen.chance(75) ? scope.own() : scope.around();
        List<Piece> fitting = from.stream().filter(piece -> piece.sort() == sort).toList();
        if (fitting.isEmpty()) {
            fitting = scope.own().stream().filter(piece -> piece.sort() == sort).toList();
        }
        return fitting.isEmpty() ? literals.of(sort) : gen.pick(fitting);
    }

    /// A condition.
    Piece condition(Scope scope, int depth) {
        if (depth <= 0) {
            return comparison(scope, 0);
        }
        return switch (gen.below(20)) {
            case 0, 1, 2, 3, 4, 5 -> comparison(scope, depth - 1);
            case 6, 7 ->
                    Piece.of(
                            Sort.BOOLEAN,
                            "($1 AND $2)",
                            condition(scope, depth - 1),
                            condition(scope, depth - 1));
            case 8, 9 ->
                    Piece.of(
                            Sort.BOOLEAN,
                            "($1 OR $2)",
                            condition(scope, depth - 1),
                            condition(scope, depth - 1));
            case 10, 11 -> between(scope, depth);
            case 12, 13 -> in(scope, depth);
            case 14, 15, 16 ->
                    queries.mayNest() ? queries.test(scope, depth) : comparison(scope, 1);
            case 17 -> column(Sort.BOOLEAN, scope);
            default -> filled(gen.pick(Form.of(Sort.BOOLEAN, ours)), scope, depth);
        };
    }

    private Piece comparison(Scope scope, int depth) {
        Sort sort = sortOf(scope);
        String operator =
                switch (gen.below(12)) {
                    case 0 -> "IS DISTINCT FROM";
                    case 1 -> "IS NOT DISTINCT FROM";
                    default -> gen.pick(COMPARISONS);
                };
        Piece left = gen.chance(60) ? column(sort, scope) : value(sort, scope, depth);
        Piece right = value(partner(sort), scope, depth);
        String form = "($1 " + operator + " $2)";
        return gen.chance(80)
                ? Piece.of(Sort.BOOLEAN, form, left, right)
                : Piece.of(Sort.BOOLEAN, form, right, left);
    }

    private Piece between(Scope scope, int depth) {
        Sort sort = sortOf(scope);
        String form = gen.chance(75) ? "($1 BETWEEN $2 AND $3)" : "($1 NOT BETWEEN $2 AND $3)";
        return Piece.of(
                Sort.BOOLEAN,
                form,
                gen.chance(70) ? column(sort, scope) : value(sort, scope, depth - 1),
                value(partner(sort), scope, depth - 1),
                value(sort, scope, depth - 1));
    }

    private Piece in(Scope scope, int depth) {
        Sort sort = sortOf(scope);
        List<Piece> elements = new ArrayList<>();
        int count = 1 + gen.below(4);
        for (int i = 0; i < count; i++) {
            elements.add(gen.chance(75) ? literals.of(sort) : value(sort, scope, depth - 1));
        }
        return Piece.of(
                Sort.BOOLEAN,
                gen.chance(70) ? "($1 IN ($2))" : "($1 NOT IN ($2))",
                gen.chance(70) ? column(sort, scope) : value(sort, scope, depth - 1),
                Piece.list(", ", elements));
    }

    /// A sort that there is a column of, mostly.
    Sort sortOf(Scope scope) {
        List<Piece> own = scope.own();
        return own.isEmpty() || gen.chance(10) ? gen.pick(Sort.VALUES) : gen.pick(own).sort();
    }

    /// What a value of `sort` is compared with.
    private Sort partner(Sort sort) {
        if (gen.chance(75)) {
            return sort;
        }
        if (sort.isNumber()) {
            return gen.pick(Sort.NUMBERS);
        }
        if (ours && (sort == Sort.DATE || sort == Sort.TIMESTAMP)) {
            return gen.chance(50) ? Sort.DATE : Sort.TIMESTAMP;
        }
        return sort;
    }
}
