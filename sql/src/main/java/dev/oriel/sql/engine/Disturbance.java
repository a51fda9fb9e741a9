package dev.oriel.sql.engine;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.table.Table;
import org.jspecify.annotations.Nullable;

/// Whether a change is in the way of a query that is being read in the same transaction: its operators read
/// the tables as they are at each moment, so they might meet what is written.
final class Disturbance {
    private Disturbance() {}

    /// Whether `change` may change what `reading` has yet to return, or where its operators stand. Where that is
    /// not plain to see it says so.
    static boolean by(Command change, Command reading) {
        return switch (reading) {
            case Command.Query query -> !adds(change) || !isApart(query.plan(), change);
            case Command.Explain explain -> false; // its lines are there
            case Command.LockingQuery query -> false; // so are its rows
            case Command.RowChange returning -> false;
            case Command.CopyTo copy -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
        };
    }

    /// Whether it does nothing but add rows, which sets off no action of a foreign key.
    private static boolean adds(Command change) {
        return switch (change) {
            case Command.InsertRows rows -> updatesNothing(rows.onConflict());
            case Command.InsertQuery query -> updatesNothing(query.onConflict());
            case Command.CopyFrom copy -> true;
            default -> false;
        };
    }

    private static boolean updatesNothing(Command.@Nullable OnConflict onConflict) {
        return onConflict == null || onConflict.update() == null;
    }

    /// Whether `plan` reads another table than `change` writes, row by row, with operators that keep no place in
    /// it but that of the row they are on.
    private static boolean isApart(Plan plan, Command change) {
        Plan at = plan;
        while (true) {
            if (PlanParts.scalars(at).stream().anyMatch(PlanParts::hasSubquery)) {
                return false;
            }
            switch (at) {
                case Plan.Project project -> at = project.input();
                case Plan.Filter filter -> at = filter.input();
                case Plan.Sort sort -> at = sort.input();
                case Plan.Limit limit when limit.ties().isEmpty() -> at = limit.input();
                case Plan.Scan scan -> {
                    return scan.among() == null && isOther(scan.table(), change);
                }
                case Plan.OneRow row -> {
                    return true;
                }
                case Plan.Series series -> {
                    return true;
                }
                case Plan.FileScan file -> {
                    return true;
                }
                default -> {
                    return false;
                }
            }
        }
    }

    private static boolean isOther(Table table, Command change) {
        return change instanceof Command.RowChange rows && rows.table().id() != table.id();
    }
}
