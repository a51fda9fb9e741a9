package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;

/// UNNEST of composite values in FROM: their attributes are the columns, as in PostgreSQL.
final class SpreadComposites {
    private SpreadComposites() {}

    /// Whether the first column of `plan` has attributes with names.
    static boolean are(Plan plan) {
        Type type = plan.types().getFirst().withoutDomain();
        return type.name() == Type.Name.COMPOSITE && type.composite().id() != 0;
    }

    /// `plan` with the attributes instead of its first column.
    ///
    /// @param columns receives the columns
    static Plan spread(Plan plan, List<Column> columns) {
        Type type = plan.types().getFirst();
        CompositeType composite = type.composite();
        Scalar value = new Scalar.ColumnRef(0, type, true, "");
        List<Scalar> attributes = new ArrayList<>();
        for (int i = 0; i < composite.size(); i++) {
            attributes.add(CompositeBinder.attribute(value, i));
            columns.add(new Column(composite.attributes().get(i).name(), composite.type(i), true));
        }
        if (plan.types().size() > 1) {
            attributes.add(new Scalar.ColumnRef(1, Typing.BIGINT, false, "ordinality"));
            columns.add(new Column("ordinality", Typing.BIGINT, false));
        }
        return new Plan.Project(plan, List.copyOf(attributes));
    }
}
