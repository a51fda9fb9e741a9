package dev.oriel.sql.planner;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Replan;
import dev.oriel.table.definition.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query that is bound and planned.
///
/// @param untyped for each column whether nothing has given it a type, so that it defaults to text
/// @param replan plans the query again for some of its rows; null if it always reads all of them
public record BoundQuery(
        Plan plan,
        List<Prepared.OutputColumn> columns,
        List<Boolean> untyped,
        @Nullable Replan replan) {
    public BoundQuery(Plan plan, List<Prepared.OutputColumn> columns, List<Boolean> untyped) {
        this(plan, columns, untyped, null);
    }

    public BoundQuery with(@Nullable Replan other) {
        return new BoundQuery(plan, columns, untyped, other);
    }

    /// The output columns as columns of a table.
    public List<Column> asTable() {
        List<Column> table = new ArrayList<>();
        for (Prepared.OutputColumn column : columns) {
            table.add(new Column(column.name(), column.type(), column.nullable()));
        }
        return List.copyOf(table);
    }
}
