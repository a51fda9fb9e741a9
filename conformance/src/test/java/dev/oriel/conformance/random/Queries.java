package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes queries over a [Schema]. Their answers are certain but for the order of rows, and where
/// that matters all columns are ordered by.
final class Queries {
    /// The form of a table's name, by which copies are read instead.
    static final String TABLE = "$1 ";

    private static final String RECURSION =
            "w (c0) AS (SELECT MIN(id) FROM $1 UNION ALL SELECT c0 + 1 FROM w WHERE c0 < 4)";
    private static final int DEPTH = 2;

    private final Gen gen;
    private final boolean ours;
    private final Sources sources;
    private final Expressions expressions;
    private final Groups groups;
    private int nested;

    /// @param ours whether what hardly any other database has is used too
    Queries(Gen gen, boolean ours, Schema schema) {
        this.gen = gen;
        this.ours = ours;
        expressions = new Expressions(gen, ours, this);
        sources = new Sources(gen, ours, schema, this, expressions);
        groups = new Groups(gen, ours, expressions);
    }

    Expressions expressions() {
        return expressions;
    }

    Groups groups() {
        return groups;
    }

    /// What stands in FROM of a query of its own.
    Scope from() {
        sources.clear();
        return new Scope(List.of(sources.joined(Scope.NONE, 1)), null);
    }

    /// One table alone.
    Scope table() {
        sources.clear();
        return new Scope(List.of(sources.table()), null);
    }

    /// A whole query, perhaps with WITH before it.
    Piece whole() {
        sources.clear();
        if (!gen.chance(15)) {
            return query(Scope.NONE, DEPTH);
        }
        if (gen.chance(25)) {
            sources.name("w", List.of(Piece.leaf(Sort.INTEGER, "c0")));
            Piece definition = Piece.of(Sort.PART, RECURSION, sources.anyTable());
            return Piece.of(Sort.QUERY, Select.RECURSIVE, definition, withoutNames(Scope.NONE, 1));
        }
        return with(Scope.NONE, 2);
    }

    /// A query over a name of its own, whose query may depend on the rows around it.
    private Piece with(Scope outer, int depth) {
        Piece named = query(gen.chance(60) ? outer : Scope.NONE, depth - 1);
        List<Piece> columns = new ArrayList<>();
        List<Sort> sorts = named.columns();
        for (int i = 0; i < sorts.size(); i++) {
            columns.add(Piece.leaf(sorts.get(i), "c" + i));
        }
        String name = sources.alias();
        sources.name(name, List.copyOf(columns));
        try {
            Piece definition = Piece.of(Sort.PART, name + " AS ($1)", named);
            return Piece.of(Sort.QUERY, Select.WITH, definition, withoutNames(outer, depth - 1));
        } finally {
            sources.forget();
        }
    }

    /// A query of any kind.
    Piece query(Scope outer, int depth) {
        return depth > 0 && gen.chance(outer.sources().isEmpty() ? 4 : 15)
                ? with(outer, depth)
                : withoutNames(outer, depth);
    }

    private Piece withoutNames(Scope outer, int depth) {
        int roll = gen.below(100);
        if (depth > 0 && roll < 12) {
            return setOperation(outer, depth);
        }
        if (roll < 30) {
            return ordered(select(outer, depth));
        }
        if (roll < 38) {
            return orderedByOthers(outer, depth);
        }
        return select(outer, depth);
    }

    /// Rows of sources that have a key, mostly, in an order that they need not show.
    private Piece orderedByOthers(Scope outer, int depth) {
        Scope scope = new Scope(List.of(sources.joined(outer, depth)), outer);
        Piece query = columnsOf(scope).piece();
        return scope.key().isEmpty() ? ordered(query) : ordered(query, scope);
    }

    /// `query` over `scope` in an order of columns that are perhaps not among its own, ended by the key; perhaps
    /// only a part of it.
    private Piece ordered(Piece query, Scope scope) {
        List<Piece> terms = new ArrayList<>();
        terms.add(gen.pick(scope.own()));
        terms.addAll(scope.key());
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < terms.size(); i++) {
            form.append(i == 0 ? "" : ", ").append('$').append(i + 1).append(direction());
        }
        Piece order = new Piece(Sort.FIXED, form.toString(), List.copyOf(terms));
        return Piece.of(Sort.QUERY, Select.ORDERED, query, order, limit());
    }

    private Select columnsOf(Scope scope) {
        List<Piece> items = new ArrayList<>();
        int count = 1 + gen.below(3);
        for (int i = 0; i < count; i++) {
            items.add(expressions.column(expressions.sortOf(scope), scope));
        }
        return Select.of(named(items), scope.sources().getFirst().piece()).where(where(scope));
    }

    private Piece select(Scope outer, int depth) {
        Scope scope = new Scope(List.of(sources.joined(outer, depth)), outer);
        int roll = gen.below(100);
        if (roll < 30) {
            return groups.select(scope, where(scope)).piece();
        }
        List<Piece> items = new ArrayList<>();
        int count = 1 + gen.below(4);
        boolean windows = roll < 45;
        for (int i = 0; i < count; i++) {
            Sort sort = expressions.sortOf(scope);
            items.add(
                    windows && gen.chance(60)
                            ? groups.window(scope)
                            : gen.chance(50)
                                    ? expressions.column(sort, scope)
                                    : expressions.value(sort, scope, 2));
        }
        return Select.of(named(items), scope.sources().getFirst().piece())
                .where(where(scope))
                .distinct(!windows && gen.chance(20))
                .piece();
    }

    private @Nullable Piece where(Scope scope) {
        return gen.chance(70) ? expressions.condition(scope, 2) : null;
    }

    /// `items` with the names that others know them by.
    static List<Piece> named(List<Piece> items) {
        List<Piece> named = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Piece item = items.get(i);
            named.add(Piece.of(item.sort(), "$1 AS c" + i, item));
        }
        return List.copyOf(named);
    }

    /// `query` in the order of all its columns, perhaps only a part of it.
    private Piece ordered(Piece query) {
        int columns = query.columns().size();
        List<Integer> positions = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            positions.add(i);
        }
        gen.shuffle(positions);
        StringBuilder order = new StringBuilder();
        for (int position : positions) {
            order.append(order.isEmpty() ? "" : ", ").append(position).append(direction());
        }
        return Piece.of(Sort.QUERY, Select.ORDERED, query, Piece.fixed(order.toString()), limit());
    }

    private String direction() {
        return (gen.chance(50) ? " ASC" : " DESC")
                + (gen.chance(50) ? " NULLS FIRST" : " NULLS LAST");
    }

    private Piece limit() {
        return switch (gen.below(4)) {
            case 0 -> Piece.leaf(Sort.CLAUSE, " LIMIT " + gen.below(4));
            case 1 ->
                    Piece.leaf(
                            Sort.CLAUSE,
                            " LIMIT " + (1 + gen.below(5)) + " OFFSET " + gen.below(3));
            default -> Piece.NONE;
        };
    }

    private Piece setOperation(Scope outer, int depth) {
        List<Sort> sorts = new ArrayList<>();
        int count = 1 + gen.below(3);
        for (int i = 0; i < count; i++) {
            sorts.add(gen.pick(Sort.VALUES));
        }
        String operator =
                gen.pick(
                        List.of(
                                "UNION",
                                "UNION ALL",
                                "EXCEPT",
                                "INTERSECT",
                                "EXCEPT ALL",
                                "INTERSECT ALL"));
        Piece operation =
                Piece.of(
                        Sort.QUERY,
                        "($1) " + operator + " ($2)",
                        selectOf(sorts, outer, depth - 1),
                        selectOf(sorts, outer, depth - 1));
        return gen.chance(30) ? ordered(operation) : operation;
    }

    /// A select whose items are of `sorts`.
    private Piece selectOf(List<Sort> sorts, Scope outer, int depth) {
        Scope scope = new Scope(List.of(sources.joined(outer, depth)), outer);
        List<Piece> items = new ArrayList<>();
        for (Sort sort : sorts) {
            items.add(
                    gen.chance(60)
                            ? expressions.column(sort, scope)
                            : expressions.value(sort, scope, 1));
        }
        Select select =
                Select.of(named(items), scope.sources().getFirst().piece()).where(where(scope));
        return nested < 2 && gen.chance(10) && !scope.key().isEmpty()
                ? ordered(select.piece(), scope)
                : select.distinct(gen.chance(15)).piece();
    }

    /// Whether there may be one more query within those that there are.
    boolean mayNest() {
        return nested < 2;
    }

    /// A query of one value.
    Piece scalar(Sort sort, Scope outer) {
        nested++;
        try {
            Scope scope = new Scope(List.of(sources.joined(outer, 0)), outer);
            // An aggregate of outer columns alone would be one of the outer query.
            Scope own = new Scope(scope.sources(), null);
            Piece item =
                    sort == Sort.INTEGER || sort == Sort.BOOLEAN
                            ? Piece.of(Sort.INTEGER, "CAST(COUNT($1) AS INTEGER)", counted(own))
                            : Piece.of(
                                    sort,
                                    gen.chance(50) ? "MIN($1)" : "MAX($1)",
                                    expressions.value(sort, own, 1));
            Piece query =
                    Select.of(named(List.of(item)), scope.sources().getFirst().piece())
                            .where(where(scope))
                            .piece();
            return sort == Sort.BOOLEAN
                    ? Piece.of(sort, "(($1) > 1)", query)
                    : Piece.of(sort, "($1)", query);
        } finally {
            nested--;
        }
    }

    private Piece pair(Sort first, Sort second, Scope outer, Scope around) {
        return Piece.of(
                Sort.BOOLEAN,
                gen.chance(65) ? "(($1, $2) IN ($3))" : "(($1, $2) NOT IN ($3))",
                expressions.column(first, outer),
                expressions.column(second, outer),
                selectOf(List.of(first, second), around, 0));
    }

    private Piece counted(Scope own) {
        return expressions.column(expressions.sortOf(own), own);
    }

    /// A condition that asks a query.
    Piece test(Scope outer, int depth) {
        nested++;
        try {
            Scope around = gen.chance(70) ? outer : Scope.NONE;
            if (gen.chance(35)) {
                String form = gen.chance(70) ? "(EXISTS ($1))" : "(NOT EXISTS ($1))";
                return Piece.of(
                        Sort.BOOLEAN, form, query(around, nested < 2 && gen.chance(20) ? 1 : 0));
            }
            Sort sort = expressions.sortOf(outer);
            if (ours && gen.chance(12)) {
                return pair(sort, expressions.sortOf(outer), outer, around);
            }
            Piece query = selectOf(List.of(sort), around, 0);
            Piece operand =
                    gen.chance(70)
                            ? expressions.column(sort, outer)
                            : expressions.value(sort, outer, depth - 1);
            String form =
                    gen.pick(
                            List.of(
                                    "($1 IN ($2))",
                                    "($1 IN ($2))",
                                    "($1 NOT IN ($2))",
                                    "($1 = ANY ($2))",
                                    "($1 <> ALL ($2))",
                                    "($1 > ALL ($2))",
                                    "($1 <= ANY ($2))"));
            return Piece.of(Sort.BOOLEAN, form, operand, query);
        } finally {
            nested--;
        }
    }
}
