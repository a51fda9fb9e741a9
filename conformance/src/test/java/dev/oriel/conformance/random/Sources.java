package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;

/// Makes what stands in FROM: tables, derived tables and joins of them.
final class Sources {
    private final Gen gen;
    private final boolean ours;
    private final Schema schema;
    private final Queries queries;
    private final Expressions expressions;
    private final List<Scope.Source> named = new ArrayList<>();
    private int aliases;

    Sources(Gen gen, boolean ours, Schema schema, Queries queries, Expressions expressions) {
        this.gen = gen;
        this.ours = ours;
        this.schema = schema;
        this.queries = queries;
        this.expressions = expressions;
    }

    /// Forgets what WITH has named.
    void clear() {
        named.clear();
        aliases = 0;
    }

    /// A name that nothing has yet.
    String alias() {
        return "x" + aliases++;
    }

    /// Makes `name` a table from here on.
    ///
    /// @param columns their names and sorts
    void name(String name, List<Piece> columns) {
        named.add(new Scope.Source(Piece.fixed(name), columns, List.of()));
    }

    /// Ends what the last [#name] began.
    void forget() {
        named.removeLast();
    }

    /// One to three sources, joined.
    Scope.Source joined(Scope outer, int depth) {
        Scope.Source left = single(outer, depth);
        int joins = gen.weighted(45, 35, 20);
        for (int i = 0; i < joins; i++) {
            left =
                    ours && depth > 0 && gen.chance(10)
                            ? lateral(left, depth)
                            : join(left, single(outer, depth), outer);
        }
        return left;
    }

    /// The name of a table.
    Piece anyTable() {
        List<String> names = schema.tables().keySet().stream().sorted().toList();
        return Piece.of(Sort.FIXED, Queries.TABLE, Piece.fixed(gen.pick(names)));
    }

    private Scope.Source join(Scope.Source left, Scope.Source right, Scope outer) {
        List<Piece> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        List<Piece> key = new ArrayList<>();
        if (!left.key().isEmpty() && !right.key().isEmpty()) {
            key.addAll(left.key());
            key.addAll(right.key());
        }
        String kind =
                gen.pick(
                        List.of(
                                "JOIN",
                                "JOIN",
                                "LEFT JOIN",
                                "LEFT JOIN",
                                "RIGHT JOIN",
                                "FULL JOIN",
                                "CROSS JOIN"));
        if (!kind.equals("CROSS JOIN") && gen.chance(10) && haveOneId(left) && haveOneId(right)) {
            return new Scope.Source(
                    Piece.of(
                            Sort.SOURCE,
                            "($1 " + kind + " $2 USING (id))",
                            left.piece(),
                            right.piece()),
                    List.copyOf(columns),
                    List.copyOf(key));
        }
        Piece piece =
                kind.equals("CROSS JOIN")
                        ? Piece.of(Sort.SOURCE, "($1 CROSS JOIN $2)", left.piece(), right.piece())
                        : Piece.of(
                                Sort.SOURCE,
                                "($1 " + kind + " $2 ON $3)",
                                left.piece(),
                                right.piece(),
                                on(left, right, columns, outer));
        return new Scope.Source(piece, List.copyOf(columns), List.copyOf(key));
    }

    private static boolean haveOneId(Scope.Source source) {
        return source.columns().stream().filter(column -> column.form().endsWith(".id")).count()
                == 1;
    }

    /// Mostly an equality of two columns of one sort.
    private Piece on(Scope.Source left, Scope.Source right, List<Piece> columns, Scope outer) {
        Scope both =
                new Scope(
                        List.of(new Scope.Source(Piece.NONE, columns, List.of())),
                        gen.chance(20) ? outer : null);
        List<Piece> equalities = new ArrayList<>();
        for (Piece a : left.columns()) {
            for (Piece b : right.columns()) {
                if (a.sort() == b.sort() || (a.sort().isNumber() && b.sort().isNumber())) {
                    equalities.add(Piece.of(Sort.BOOLEAN, "($1 = $2)", a, b));
                }
            }
        }
        if (equalities.isEmpty() || gen.chance(20)) {
            return expressions.condition(both, 1);
        }
        Piece equality = gen.pick(equalities);
        return gen.chance(65)
                ? equality
                : Piece.of(
                        Sort.BOOLEAN,
                        gen.chance(75) ? "($1 AND $2)" : "($1 OR $2)",
                        equality,
                        expressions.condition(both, 1));
    }

    /// A query that sees the columns before it.
    private Scope.Source lateral(Scope.Source left, int depth) {
        Scope.Source right = derived(new Scope(List.of(left), null), depth);
        List<Piece> columns = new ArrayList<>(left.columns());
        columns.addAll(right.columns());
        String form =
                gen.chance(50) ? "($1 CROSS JOIN LATERAL $2)" : "($1 LEFT JOIN LATERAL $2 ON TRUE)";
        return new Scope.Source(
                Piece.of(Sort.SOURCE, form, left.piece(), right.piece()),
                List.copyOf(columns),
                List.of());
    }

    private Scope.Source single(Scope outer, int depth) {
        if (!named.isEmpty() && gen.chance(35)) {
            Scope.Source cte = gen.pick(named);
            String alias = alias();
            return new Scope.Source(
                    Piece.of(Sort.SOURCE, "$1 AS $2", cte.piece(), Piece.fixed(alias)),
                    qualified(alias, cte.columns()),
                    List.of());
        }
        if (depth > 0 && gen.chance(18)) {
            return derived(ours && gen.chance(20) ? outer : Scope.NONE, depth);
        }
        return table();
    }

    /// A table under a name of its own.
    Scope.Source table() {
        List<String> names = schema.tables().keySet().stream().sorted().toList();
        String table = gen.pick(names);
        String alias = alias();
        List<Piece> columns = qualified(alias, schema.tables().getOrDefault(table, List.of()));
        return new Scope.Source(
                Piece.of(
                        Sort.SOURCE,
                        "$1 AS $2",
                        Piece.of(Sort.FIXED, Queries.TABLE, Piece.fixed(table)),
                        Piece.fixed(alias)),
                columns,
                schema.keyed().contains(table) ? columns.subList(0, 1) : List.of());
    }

    private Scope.Source derived(Scope outer, int depth) {
        Piece query = queries.query(outer, depth - 1);
        String alias = alias();
        List<Piece> columns = new ArrayList<>();
        List<Sort> sorts = query.columns();
        for (int i = 0; i < sorts.size(); i++) {
            columns.add(Piece.leaf(sorts.get(i), alias + ".c" + i));
        }
        return new Scope.Source(
                Piece.of(Sort.SOURCE, "($1) AS $2", query, Piece.fixed(alias)),
                List.copyOf(columns),
                List.of());
    }

    private static List<Piece> qualified(String alias, List<Piece> columns) {
        return columns.stream()
                .map(column -> Piece.leaf(column.sort(), alias + "." + column.form()))
                .toList();
    }
}
