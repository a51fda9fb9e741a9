package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Reads of tables that the statement has changed by then. Their rows are kept before the first change runs. A
/// condition restricts the rows that are kept, unless it depends on an outer query.
///
/// @param tables ids of the tables
/// @param numbers receives the numbers under which rows are kept
record EarlierRows(Set<Long> tables, BitSet numbers) {
    boolean hold(Table table) {
        return tables.contains(table.id());
    }

    /// All rows of `table`, which `named` reads.
    BoundQuery rows(BindContext around, From.Named named, Table table) {
        IdentityHashMap<From.Named, ChangedRelation> none = new IdentityHashMap<>(1);
        BindContext plain = new BindContext(around.binding().reading(null, none), null, null);
        int position = named.position();
        Statement.Query all =
                new Statement.Select(
                        position,
                        false,
                        List.of(new Statement.Item.Star(position, null)),
                        new From.Named(
                                new Identifier(
                                        position,
                                        table.name(),
                                        table.schema().isEmpty()
                                                ? SearchPath.PUBLIC
                                                : table.schema()),
                                null,
                                List.of()),
                        null,
                        List.of(),
                        null,
                        List.of(),
                        null,
                        Statement.Tail.NONE);
        BoundQuery bound = new QueryBinder(plain).bind(all, List.of());
        Replan inner = bound.replan();
        Replan replan =
                (conditions, taken, asked) -> {
                    List<Scalar> moved = new ArrayList<>();
                    Plan fewer = inner == null ? null : inner.with(conditions, moved, asked);
                    if (fewer == null || PlanParts.needs(fewer).length > 0) {
                        return null;
                    }
                    taken.addAll(moved);
                    return kept(around, table, fewer);
                };
        Plan plan = kept(around, table, bound.plan());
        return new BoundQuery(plan, bound.columns(), bound.untyped(), replan);
    }

    private Plan kept(BindContext around, Table table, Plan rows) {
        int number = around.nextNumber();
        numbers.set(number);
        return new Plan.Kept(number, table.name() + " before", rows);
    }
}
