package dev.oriel.sql.engine;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.CommandParts;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Function;
import dev.oriel.table.definition.Catalog;
import java.util.List;

/// Conflict of a change with an open query in the same transaction. The query's operators read the current state of
/// the tables, so they might see the change.
final class ReadWriteConflict {
    private ReadWriteConflict() {}

    /// Whether `change` may affect rows that `reading` has yet to return, or the positions of its operators. In
    /// doubt, true.
    ///
    /// @param catalog has the triggers of the table that is changed
    static boolean by(Command change, Command reading, Catalog catalog) {
        return switch (reading) {
            case Command.Query query ->
                    !(change instanceof Command.RowChange rows)
                            || !CommandParts.adds(rows)
                            || !catalog.triggers(rows.table().id()).isEmpty()
                            || runs(rows)
                            || !PlanParts.isApart(query.plan(), rows.table());
            case Command.Explain explain -> false; // its lines are computed
            case Command.LockingQuery query -> false; // so are its rows
            case Command.RowChange returning -> false;
            case Command.Chain chain -> false;
            case Command.Block block -> false;
            case Command.CopyTo copy -> false;
            case Command.Definition definition -> false;
            case Command.Control control -> false;
        };
    }

    /// Whether a function that `change` calls may run statements. Other changes than INSERT ... VALUES call none.
    private static boolean runs(Command.RowChange change) {
        if (!(change instanceof Command.InsertRows insert)) {
            return false;
        }
        for (List<Scalar> row : insert.rows()) {
            for (Scalar value : row) {
                if (PlanParts.calls(value, function -> function == Function.JAVA)) {
                    return true;
                }
            }
        }
        return false;
    }
}
