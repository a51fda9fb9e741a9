package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Settings;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Binds WHERE CURRENT OF: the row has the primary key that the cursor has kept of its current row. The key is read
/// when the statement runs.
final class CursorRowBinder {
    private CursorRowBinder() {}

    static Scalar bound(ScalarBinder scalars, Expression.Call call, Place place) {
        String cursor = ((Expression.Literal) call.arguments().getFirst()).text();
        Scope.Relation relation = scalars.scope().relations().getFirst();
        Table table =
                relation.values().isEmpty()
                        ? scalars.around().binding().catalog().table(relation.table())
                        : null;
        if (table == null || table.primaryKey().isEmpty()) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "CURRENT OF finds a row by its primary key; name the table of a view, and give it"
                            + " a primary key");
        }
        List<Scalar> conditions = new ArrayList<>();
        for (int i = 0; i < table.primaryKey().size(); i++) {
            Scalar column = relation.column(table.primaryKey().get(i));
            Scalar text = Settings.cursorKey(cursor, table, i, place);
            Scalar value = new Conversion(text, column.type().withoutDomain(), true, place);
            conditions.add(new Condition.Comparison(Operator.EQUAL, column, value));
        }
        return Objects.requireNonNull(AccessPlanner.all(conditions));
    }
}
