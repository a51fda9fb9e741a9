package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Replan;
import dev.oriel.table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query that WITH has named.
///
/// @param plan null where the name may not be used: within the query itself
/// @param replan how it is planned for some of its rows; null where they are kept
/// @param once whether it has other rows when it runs again, so that it may run only once
/// @param correlation of the query that has named it; null where that stands for itself
/// @param next the name around it
record CommonTable(
        String name,
        List<Column> columns,
        @Nullable Plan plan,
        @Nullable Replan replan,
        boolean once,
        @Nullable Correlation correlation,
        @Nullable CommonTable next) {
    /// One that has these rows wherever it is read, or none where `plan` is null.
    static CommonTable of(
            String name, List<Column> columns, @Nullable Plan plan, @Nullable CommonTable next) {
        return new CommonTable(name, columns, plan, null, false, null, next);
    }
}
