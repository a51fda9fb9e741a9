package dev.oriel.conformance.random;

import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;

/// Makes the queries that an [Oracle] wants.
record Asking(Gen gen) {
    /// Columns and expressions under a condition.
    Select filtered(Queries queries) {
        Scope scope = queries.from();
        Expressions expressions = queries.expressions();
        List<Piece> items = new ArrayList<>();
        int count = 1 + gen.below(3);
        for (int i = 0; i < count; i++) {
            Sort sort = expressions.sortOf(scope);
            items.add(
                    gen.chance(70)
                            ? expressions.column(sort, scope)
                            : expressions.value(sort, scope, 1));
        }
        return select(scope, items).where(expressions.condition(scope, 3));
    }

    /// The columns of one table by their names, some of them computed, under a condition: what a change is to
    /// make of its rows.
    Select changed(Queries queries) {
        Scope scope = queries.table();
        Scope.Source table = scope.sources().getFirst();
        Expressions expressions = queries.expressions();
        List<Piece> items = new ArrayList<>();
        for (Piece column : table.columns()) {
            String name = column.form().substring(column.form().indexOf('.') + 1);
            boolean kept = name.equals("id") || gen.chance(50);
            Piece item =
                    kept
                            ? column
                            : Piece.of(
                                    column.sort(),
                                    "CAST($1 AS " + column.sort().type + ")",
                                    expressions.value(column.sort(), scope, 2));
            items.add(Piece.of(column.sort(), "$1 AS " + name, item));
        }
        return Select.of(items, table.piece()).where(expressions.condition(scope, 3));
    }

    /// Groups under a condition.
    Select grouped(Queries queries) {
        Scope scope = queries.from();
        Groups groups = queries.groups();
        List<Piece> keys = groups.keys(scope);
        List<Piece> items = new ArrayList<>(keys);
        items.add(groups.aggregate(scope));
        Select select = select(scope, items);
        if (!keys.isEmpty()) {
            select = select.group(Piece.list(", ", keys));
        }
        if (gen.chance(50)) {
            select = select.where(queries.expressions().condition(scope, 2));
        }
        return select.having(groups.having(scope, keys));
    }

    /// One aggregate whose whole can be worked out from those of the parts.
    Select aggregated(Queries queries) {
        Scope scope = queries.from();
        Piece aggregate = queries.groups().aggregate(scope);
        boolean divisible =
                !aggregate.form().contains("DISTINCT")
                        && !aggregate.form().contains("ORDER")
                        && !aggregate.form().contains("FILTER");
        Piece item = divisible ? aggregate : Piece.leaf(Sort.BIGINT, "COUNT(*)");
        return select(scope, List.of(item)).where(queries.expressions().condition(scope, 3));
    }

    private static Select select(Scope scope, List<Piece> items) {
        return Select.of(Queries.named(items), scope.sources().getFirst().piece());
    }
}
