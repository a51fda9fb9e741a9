package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Statement.Assignment;
import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.ArrayList;
import java.util.List;

/// Columns of SET that are qualified by the table they are of, as in `UPDATE t SET t.a = 1` of H2, MySQL and SQL
/// Server. The parser reads them as attributes of a composite column.
final class QualifiedTargets {
    private QualifiedTargets() {}

    /// `assignments` without the name of their table, if it has no column of this name.
    static List<Assignment> resolved(ChangedRelation changed, List<Assignment> assignments) {
        boolean none = true;
        for (Assignment assignment : assignments) {
            none &= !isQualified(changed, assignment);
        }
        if (none) {
            return assignments;
        }
        List<Assignment> resolved = new ArrayList<>();
        for (Assignment assignment : assignments) {
            if (isQualified(changed, assignment)
                    && assignment.value() instanceof Expression.Call call) {
                addParts(call, resolved);
            } else {
                resolved.add(assignment);
            }
        }
        return List.copyOf(resolved);
    }

    private static boolean isQualified(ChangedRelation changed, Assignment assignment) {
        Expression value = assignment.value();
        Identifier column = assignment.column();
        while (value instanceof Expression.Call call && isPart(call)) {
            value = call.arguments().getFirst();
        }
        return assignment.value() instanceof Expression.Call
                && value instanceof Expression.Name whole
                && whole.qualifier() != null
                && whole.qualifier().equalsIgnoreCase(column.name())
                && whole.name().equals(column.name())
                && changed.columns().stream()
                        .noneMatch(each -> each.name().equalsIgnoreCase(column.name()));
    }

    /// Whether `call` sets an attribute to a value, and not to a part of it.
    private static boolean isPart(Expression.Call call) {
        return call.name().equals(Function.ASSIGNED_ATTRIBUTE.called());
    }

    /// Adds the assignments that are nested in `call`, the first one innermost.
    private static void addParts(Expression.Call call, List<Assignment> parts) {
        if (call.arguments().getFirst() instanceof Expression.Call inner && isPart(inner)) {
            addParts(inner, parts);
        }
        Expression.Literal name = (Expression.Literal) call.arguments().get(2);
        Identifier column = new Identifier(name.position() + 1, name.text());
        parts.add(new Assignment(column, call.arguments().get(1), -1));
    }
}
