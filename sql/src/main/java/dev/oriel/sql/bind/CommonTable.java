package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Replan;
import dev.oriel.table.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query that WITH has named.
///
/// @param plan null where the name may not be used: within the query itself
/// @param replan how it is planned for some of its rows; null where they are kept
/// @param next the name around it
record CommonTable(
        String name,
        List<Column> columns,
        @Nullable Plan plan,
        @Nullable Replan replan,
        @Nullable CommonTable next) {}
