package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Values of columns with ON UPDATE, as in MySQL and H2: a change that sets other columns sets these too, if one of
/// them gets another value.
final class UpdatedColumns {
    private UpdatedColumns() {}

    /// `assignments` with those of the columns with ON UPDATE that they do not set.
    static List<Command.Assignment> with(
            Table table, List<Command.Assignment> assignments, ScalarBinder binder) {
        Set<Integer> set = new HashSet<>();
        assignments.forEach(assignment -> set.add(assignment.column()));
        Scope.Relation row = row(table, binder.scope());
        List<Command.Assignment> all = new ArrayList<>(assignments);
        for (int i = 0; i < table.columns().size(); i++) {
            Column column = table.columns().get(i);
            if (column.update() == null || set.contains(i)) {
                continue;
            }
            Scalar value = TableExpressions.value(table, column.update(), column);
            Scalar differs = row == null ? null : differs(assignments, row);
            all.add(
                    new Command.Assignment(
                            i,
                            differs == null || row == null
                                    ? value
                                    : new Conditional.Case(
                                            List.of(differs),
                                            List.of(value),
                                            row.column(i),
                                            Typing.plain(column.type()))));
        }
        return List.copyOf(all);
    }

    /// The table within `scope`; null behind a view.
    private static Scope.@Nullable Relation row(Table table, Scope scope) {
        for (Scope.Relation relation : scope.relations()) {
            boolean same =
                    relation.values().isEmpty()
                            && relation.columns().size() >= table.columns().size()
                            && relation.columns()
                                    .subList(0, table.columns().size())
                                    .equals(table.columns());
            if (same) {
                return relation;
            }
        }
        return null;
    }

    /// Whether an assignment changes its column; null if values must not be computed twice.
    private static @Nullable Scalar differs(
            List<Command.Assignment> assignments, Scope.Relation row) {
        List<Scalar> tests = new ArrayList<>();
        for (Command.Assignment assignment : assignments) {
            if (PlanParts.isVolatile(assignment.value())) {
                return null;
            }
            Scalar before = row.column(assignment.column());
            boolean comparable = before.type().shape() == assignment.value().type().shape();
            if (!comparable) {
                return null;
            }
            tests.add(new Condition.Not(new Condition.Same(before, assignment.value())));
        }
        return tests.size() == 1
                ? tests.getFirst()
                : new Condition.Logical(false, List.copyOf(tests));
    }
}
