package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Replan;
import dev.oriel.table.definition.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query named in WITH.
///
/// @param plan null if the name may not be used: within the query itself, or of a change without RETURNING
/// @param replan plans it for a subset of its rows; null if its rows are kept
/// @param once whether its rows differ from run to run, so that it may run only once
/// @param silent whether it is a change without RETURNING
/// @param correlation link of the query with the WITH to its enclosing query; null if there is none
/// @param next the next name further out
record CommonTable(
        String name,
        List<Column> columns,
        @Nullable Plan plan,
        @Nullable Replan replan,
        boolean once,
        boolean silent,
        @Nullable Correlation correlation,
        @Nullable CommonTable next) {
    /// A name with the same rows wherever it is read; not usable if `plan` is null.
    static CommonTable of(
            String name, List<Column> columns, @Nullable Plan plan, @Nullable CommonTable next) {
        return new CommonTable(name, columns, plan, null, false, false, null, next);
    }

    /// The name of a change without RETURNING.
    static CommonTable silent(String name, @Nullable CommonTable next) {
        return new CommonTable(name, List.of(), null, null, false, true, null, next);
    }
}
