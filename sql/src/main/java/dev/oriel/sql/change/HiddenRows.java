package dev.oriel.sql.change;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Body;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.CommandParts;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.Table;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Refuses queries in the middle of a statement that would miss rows. A row is out of its table until the end of the
/// statement if another row still has its new key.
///
/// An INSERT without ON CONFLICT misses none, since keys are compared at the end too.
final class HiddenRows implements Predicate<Plan> {
    private final Unsettled unsettled;

    /// A table that is read although rows of it wait; null if none was found.
    private @Nullable Table table;

    private HiddenRows(Unsettled unsettled) {
        this.unsettled = unsettled;
    }

    /// Refuses `step` of a body if it reads a table with rows that wait.
    static void check(Body.Step step, Unsettled unsettled) {
        HiddenRows hidden = new HiddenRows(unsettled);
        boolean reads =
                switch (step) {
                    case Body.Step.Run run -> hidden.isRead(run.command());
                    case Body.Step.Assign assign -> hidden.areAssigned(assign.values());
                    case Body.Step.Signal signal -> hidden.isEvaluated(signal.message());
                };
        hidden.refuse(reads);
    }

    /// Refuses `value` if it reads a table with rows that wait.
    static void check(Scalar value, Unsettled unsettled) {
        HiddenRows hidden = new HiddenRows(unsettled);
        hidden.refuse(hidden.isEvaluated(value));
    }

    private void refuse(boolean reads) {
        Table read = table;
        if (reads && read != null) {
            throw new SqlException(
                    Kind.TRIGGERED_CHANGE,
                    "Rows of table \""
                            + read.name()
                            + "\" wait for keys of other rows until the end of the statement; read the"
                            + " table after it, as triggers AFTER a change do, or choose keys that are"
                            + " free",
                    -1,
                    null);
        }
    }

    @Override
    public boolean test(Plan plan) {
        return plan instanceof Plan.Scan scan && isHidden(scan.table());
    }

    private boolean isHidden(Table of) {
        if (!unsettled.hidesRows(of)) {
            return false;
        }
        table = of;
        return true;
    }

    private boolean isRead(Command command) {
        return switch (command) {
            case Command.Query query -> PlanParts.any(query.plan(), this);
            case Command.LockingQuery query -> PlanParts.any(query.plan(), this);
            case Command.RowChange change -> isRead(change);
            case Command.Chain chain -> isRead(chain);
            case Command.Block block -> block.arguments().stream().anyMatch(this::isEvaluated);
            case Command.CopyTo copy -> PlanParts.any(copy.plan(), this);
            case Command.Explain _ -> false;
            case Command.Definition _ -> false;
            case Command.Control _ -> false;
        };
    }

    private boolean isRead(Command.RowChange change) {
        Command.OnConflict conflict =
                switch (change) {
                    case Command.InsertRows insert -> insert.onConflict();
                    case Command.InsertQuery insert -> insert.onConflict();
                    default -> null;
                };
        return (conflict != null && isHidden(change.table())) || CommandParts.any(change, this);
    }

    private boolean isRead(Command.Chain chain) {
        return chain.before().stream().anyMatch(kept -> PlanParts.any(kept, this))
                || chain.parts().stream().anyMatch(part -> isRead(part.change()))
                || isRead(chain.last());
    }

    private boolean areAssigned(List<Command.Assignment> assignments) {
        return assignments.stream().anyMatch(assignment -> isEvaluated(assignment.value()));
    }

    private boolean isEvaluated(@Nullable Scalar value) {
        return value != null && PlanParts.any(value, this);
    }
}
