package dev.oriel.sql.change;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The WITH CHECK OPTION of the views through which rows are written. A row is tested as the table has stored it,
/// after the table's own rules.
final class ViewChecks {
    private final Table table;
    private final List<Command.ViewCheck> checks;
    private final Execution execution;
    private final Row written;
    private final Frame frame;

    private ViewChecks(Table table, List<Command.ViewCheck> checks, Execution execution) {
        this.table = table;
        this.checks = checks;
        this.execution = execution;
        this.written = execution.transaction().rowOf(table);
        this.frame = new Frame(execution, written);
    }

    /// The tests of `checks`; null if there are none.
    static @Nullable ViewChecks of(
            Table table, List<Command.ViewCheck> checks, Execution execution) {
        return checks.isEmpty() ? null : new ViewChecks(table, checks, execution);
    }

    /// Tests the row of the table that was written last.
    ///
    /// @throws ConstraintException if a view would not show it
    void test() {
        execution.transaction().offered(table, written);
        Unsettled unsettled = execution.transaction().unsettled();
        for (Command.ViewCheck check : checks) {
            if (unsettled.hidesRows()) {
                HiddenRows.check(check.condition(), unsettled);
            }
            if (check.condition().evalTruth(frame) != 1) {
                if (check.partition()) {
                    throw new ConstraintException(
                            ConstraintException.Kind.CHECK,
                            "A row is outside of the bound of a partition; write it to the"
                                    + " partitioned table",
                            "partition=" + check.view() + " table=" + table.name());
                }
                throw new ConstraintException(
                        ConstraintException.Kind.VIEW_CHECK,
                        "A row fails the check option of a view; write rows that the view shows",
                        "view=" + check.view() + " table=" + table.name());
            }
        }
    }
}
