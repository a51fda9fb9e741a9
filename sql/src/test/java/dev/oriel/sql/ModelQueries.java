package dev.oriel.sql;

import dev.oriel.sql.ModelQuery.Aggregate;
import dev.oriel.sql.ModelQuery.Column;
import dev.oriel.sql.ModelQuery.Cond;
import dev.oriel.sql.ModelQuery.Expr;
import dev.oriel.sql.ModelQuery.From;
import dev.oriel.sql.ModelQuery.Query;
import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Generates random queries, some of them correlated.
final class ModelQueries {
    /// All tables have the columns a, b, c; they differ in their keys.
    static final List<String> TABLES = List.of("r", "s", "t", "u");

    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> COMPARISONS = List.of("=", "=", "=", "<>", "<", "<=", ">");

    private final Gen gen;
    private int aliases;
    private @Nullable String common;
    private int commonWidth;

    ModelQueries(Gen gen) {
        this.gen = gen;
    }

    /// Generates a query.
    Query query() {
        aliases = 0;
        common = null;
        Query named = null;
        if (gen.chance(15)) {
            named = select(List.of(), 2, gen.chance(50) ? 1 : 3);
            common = "w";
            commonWidth = named.width();
        }
        Query query = body(List.of(), 0, 1 + gen.below(3));
        if (gen.chance(30)) {
            query =
                    new ModelQuery.Ordered(
                            query, gen.chance(50), gen.chance(60) ? gen.below(6) : null);
        }
        return named == null ? query : new ModelQuery.With("w", named, query);
    }

    private Query body(List<Column> outer, int depth, int width) {
        if (depth < 3 && gen.chance(18)) {
            String kind = gen.pick(List.of("UNION", "INTERSECT", "EXCEPT"));
            return new ModelQuery.SetOperation(
                    kind,
                    gen.chance(50),
                    body(outer, depth + 1, width),
                    body(outer, depth + 1, width));
        }
        if (depth < 3 && gen.chance(6)) {
            Query query = select(outer, depth + 1, width + gen.below(3));
            return new ModelQuery.Least(query, width, gen.below(5));
        }
        return select(outer, depth, width);
    }

    private Query select(List<Column> outer, int depth, int width) {
        From from = from(outer, depth, depth == 0 ? 1 + gen.below(3) : 1 + gen.below(2));
        List<Column> inner = columns(from);
        Cond where = gen.chance(70) ? condition(inner, outer, depth, 0) : null;
        if (gen.chance(15)) {
            int keys = gen.below(width);
            List<Expr> by = new ArrayList<>();
            while (by.size() < keys) {
                by.add(gen.pick(inner));
            }
            List<Aggregate> aggregates = new ArrayList<>();
            while (by.size() + aggregates.size() < width) {
                aggregates.add(aggregate(inner));
            }
            return new ModelQuery.Grouped(by, aggregates, from, where);
        }
        List<Expr> items = new ArrayList<>();
        while (items.size() < width) {
            items.add(expression(inner, outer, depth));
        }
        return new ModelQuery.Select(gen.chance(20), items, from, where);
    }

    /// Over its own columns only: an aggregate of outer columns would belong to the outer query.
    private Aggregate aggregate(List<Column> inner) {
        String name = gen.pick(List.of("COUNT", "SUM", "MIN", "MAX"));
        boolean star = name.equals("COUNT") && gen.chance(50);
        return new Aggregate(name, star ? null : expression(inner, List.of(), 9));
    }

    private List<Column> columns(From from) {
        List<Column> columns = new ArrayList<>();
        from.widths()
                .forEach((alias, width) -> {
                    for (int i = 0; i < width; i++) {
                        columns.add(new Column(alias, i, NAMES.get(i)));
                    }
                });
        return columns;
    }

    private From from(List<Column> outer, int depth, int tables) {
        From from = source(outer, depth);
        for (int i = 1; i < tables; i++) {
            boolean nested = gen.chance(15);
            From right = nested ? from(outer, depth + 1, 2) : source(outer, depth);
            int kind = gen.below(10);
            boolean lateral = kind < 6 && depth < 2 && gen.chance(12);
            if (lateral) {
                List<Column> seen = new ArrayList<>(outer);
                seen.addAll(columns(from));
                Query query = select(seen, depth + 1, 2);
                right = new ModelQuery.Derived(query, alias(), true, 2);
            }
            if (kind == 0) {
                from = new ModelQuery.Join("CROSS", from, right, null);
                continue;
            }
            List<Column> both = columns(from);
            both.addAll(columns(right));
            Cond on = on(from, right, both, outer, depth);
            String word = kind < 4 ? "INNER" : kind < 7 ? "LEFT" : kind < 8 ? "RIGHT" : "FULL";
            from = new ModelQuery.Join(lateral && kind > 3 ? "LEFT" : word, from, right, on);
        }
        return from;
    }

    /// Mostly an equality between both sides, with further conditions.
    private Cond on(From left, From right, List<Column> both, List<Column> outer, int depth) {
        Cond equal =
                new ModelQuery.Compare(
                        gen.chance(85) ? "=" : gen.pick(COMPARISONS),
                        gen.pick(columns(left)),
                        gen.pick(columns(right)));
        if (gen.chance(60)) {
            return equal;
        }
        Cond other = condition(both, outer, depth + 1, 1);
        return gen.chance(20) ? other : new ModelQuery.Both(gen.chance(85), equal, other);
    }

    private From source(List<Column> outer, int depth) {
        if (common != null && gen.chance(40)) {
            return new ModelQuery.Table(common, alias(), commonWidth);
        }
        if (depth < 2 && gen.chance(12)) {
            int width = 1 + gen.below(3);
            return new ModelQuery.Derived(body(outer, depth + 1, width), alias(), false, width);
        }
        return new ModelQuery.Table(gen.pick(TABLES), alias(), 3);
    }

    private String alias() {
        return "x" + aliases++;
    }

    private Column column(List<Column> inner, List<Column> outer) {
        return gen.pick(!outer.isEmpty() && gen.chance(25) ? outer : inner);
    }

    private Expr expression(List<Column> inner, List<Column> outer, int depth) {
        int kind = gen.below(20);
        if (kind == 0) {
            return new ModelQuery.Literal(gen.chance(20) ? null : gen.between(0, 4));
        } else if (kind == 1) {
            return new ModelQuery.Plus(column(inner, outer), column(inner, outer));
        } else if (kind == 2) {
            return new ModelQuery.Either(column(inner, outer), column(inner, outer));
        } else if (kind == 3 && depth < 2) {
            List<Column> seen = seen(inner, outer);
            From from = from(seen, depth + 1, 1 + gen.below(2));
            List<Column> own = columns(from);
            Cond where = gen.chance(80) ? condition(own, seen, depth + 1, 0) : null;
            List<Aggregate> one = List.of(aggregate(own));
            return new ModelQuery.Single(new ModelQuery.Grouped(List.of(), one, from, where));
        }
        return column(inner, outer);
    }

    private static List<Column> seen(List<Column> inner, List<Column> outer) {
        List<Column> seen = new ArrayList<>(outer);
        seen.addAll(inner);
        return seen;
    }

    private Cond condition(List<Column> inner, List<Column> outer, int depth, int height) {
        int kind = gen.below(height > 2 ? 11 : 18);
        return switch (kind) {
            case 0, 1, 2 ->
                    new ModelQuery.Compare(
                            gen.pick(COMPARISONS),
                            column(inner, outer),
                            new ModelQuery.Literal(gen.between(0, 4)));
            case 3, 4, 5 ->
                    new ModelQuery.Compare(
                            gen.pick(COMPARISONS),
                            gen.pick(inner),
                            expression(inner, outer, depth));
            case 6 -> new ModelQuery.IsNull(expression(inner, outer, depth));
            case 7 ->
                    new ModelQuery.Compare(
                            "IS NOT DISTINCT FROM", gen.pick(inner), column(inner, outer));
            case 8, 9 -> subquery(inner, outer, depth);
            case 10 -> new ModelQuery.Always(gen.chance(70));
            case 11, 12, 13, 14 ->
                    new ModelQuery.Both(
                            true,
                            condition(inner, outer, depth, height + 1),
                            condition(inner, outer, depth, height + 1));
            case 15, 16 ->
                    new ModelQuery.Both(
                            false,
                            condition(inner, outer, depth, height + 1),
                            condition(inner, outer, depth, height + 1));
            default -> new ModelQuery.Not(condition(inner, outer, depth, height + 1));
        };
    }

    private Cond subquery(List<Column> inner, List<Column> outer, int depth) {
        if (depth > 1) {
            return new ModelQuery.IsNull(column(inner, outer));
        }
        List<Column> seen = gen.chance(60) ? seen(inner, outer) : List.of();
        if (!seen.isEmpty() && gen.chance(30)) {
            return equals(seen, depth);
        }
        if (gen.chance(40)) {
            return new ModelQuery.Exists(body(seen, depth + 1, 1));
        }
        Query query = body(seen, depth + 1, 1);
        Expr operand = column(inner, outer);
        return gen.chance(70)
                ? new ModelQuery.Quantified(
                        operand, gen.chance(50) ? "=" : "<>", gen.chance(50), query)
                : new ModelQuery.Quantified(operand, gen.pick(COMPARISONS), gen.chance(50), query);
    }

    /// EXISTS with an equality to an outer column.
    private Cond equals(List<Column> outer, int depth) {
        From from = from(List.of(), depth + 1, 1 + gen.below(2));
        List<Column> inner = columns(from);
        Cond where = new ModelQuery.Compare("=", gen.pick(inner), gen.pick(outer));
        if (gen.chance(40)) {
            Cond other = condition(inner, List.of(), depth + 1, 2);
            where = new ModelQuery.Both(true, where, other);
        }
        return new ModelQuery.Exists(
                new ModelQuery.Select(false, List.of(gen.pick(inner)), from, where));
    }
}
