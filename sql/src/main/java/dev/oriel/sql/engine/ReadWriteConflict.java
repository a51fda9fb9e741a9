package dev.oriel.sql.engine;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.PlanParts;
import org.jspecify.annotations.Nullable;

/// Whether a change is in the way of a query that is being read in the same transaction: its operators read
/// the tables as they are at each moment, so they might meet what is written.
final class ReadWriteConflict {
    private ReadWriteConflict() {}

    /// Whether `change` may change what `reading` has yet to return, or where its operators stand. Where that is
    /// not plain to see it says so.
    static boolean by(Command change, Command reading) {
        return switch (reading) {
            case Command.Query query ->
                    !(change instanceof Command.RowChange rows)
                            || !adds(rows)
                            || !PlanParts.isApart(query.plan(), rows.table());
            case Command.Explain explain -> false; // its lines are there
            case Command.LockingQuery query -> false; // so are its rows
            case Command.RowChange returning -> false;
            case Command.CopyTo copy -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
        };
    }

    /// Whether it does nothing but add rows, which sets off no action of a foreign key.
    private static boolean adds(Command.RowChange change) {
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
}
