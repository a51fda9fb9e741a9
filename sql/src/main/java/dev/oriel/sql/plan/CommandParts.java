package dev.oriel.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Visits the parts of commands that change rows.
public final class CommandParts {
    private CommandParts() {}

    /// Whether `change` only adds rows, and neither reads nor changes existing ones.
    public static boolean adds(Command.RowChange change) {
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

    /// Whether `holds` for a plan in `change`, subqueries included.
    public static boolean any(Command.RowChange change, Predicate<Plan> holds) {
        List<Plan> plans = new ArrayList<>();
        List<Scalar> scalars = new ArrayList<>();
        switch (change) {
            case Command.InsertRows insert -> {
                insert.rows().forEach(scalars::addAll);
                add(insert.onConflict(), scalars);
                add(insert.checks(), scalars);
            }
            case Command.InsertQuery insert -> {
                plans.add(insert.source());
                scalars.addAll(insert.values());
                add(insert.onConflict(), scalars);
                add(insert.checks(), scalars);
            }
            case Command.Update update -> {
                plans.add(update.scan());
                add(update.filter(), scalars);
                limit(update.limit(), scalars);
                update.assignments().forEach(assignment -> scalars.add(assignment.value()));
                add(update.checks(), scalars);
            }
            case Command.Delete delete -> {
                plans.add(delete.scan());
                add(delete.filter(), scalars);
                limit(delete.limit(), scalars);
            }
            case Command.Joined joined -> {
                plans.add(joined.source());
                joined.actions().forEach(action -> add(action, scalars));
                add(joined.checks(), scalars);
            }
            case Command.Instead instead -> plans.add(instead.rows());
            case Command.CopyFrom copy -> {
                scalars.addAll(copy.values());
                add(copy.checks(), scalars);
            }
            case Command.ExternalChange external -> {
                add(external.filter(), scalars);
                external.assignments().forEach(assignment -> scalars.add(assignment.value()));
                if (external.insert() != null && any(external.insert(), holds)) {
                    return true;
                }
            }
        }
        Command.Returning returning = change.returning();
        if (returning != null) {
            scalars.addAll(returning.values());
        }
        return plans.stream().anyMatch(plan -> PlanParts.any(plan, holds))
                || scalars.stream().anyMatch(scalar -> PlanParts.any(scalar, holds));
    }

    private static void limit(Plan.@Nullable Count limit, List<Scalar> scalars) {
        if (limit != null) {
            scalars.add(limit.value());
        }
    }

    private static void add(@Nullable Scalar scalar, List<Scalar> into) {
        if (scalar != null) {
            into.add(scalar);
        }
    }

    private static void add(List<Command.ViewCheck> checks, List<Scalar> into) {
        checks.forEach(check -> into.add(check.condition()));
    }

    private static void add(Command.@Nullable OnConflict conflict, List<Scalar> into) {
        Command.ConflictUpdate update = conflict == null ? null : conflict.update();
        if (update != null) {
            update.assignments().forEach(assignment -> into.add(assignment.value()));
            add(update.where(), into);
        }
    }

    private static void add(Command.Action action, List<Scalar> into) {
        add(action.condition(), into);
        switch (action.deed()) {
            case Command.Deed.Update update ->
                    update.assignments().forEach(assignment -> into.add(assignment.value()));
            case Command.Deed.Insert insert -> into.addAll(insert.values());
            case Command.Deed.Delete delete -> {}
            case Command.Deed.Nothing nothing -> {}
        }
    }
}
