package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.CompositeType.Attribute;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;

/// Rows of a function of SQL as composite values, and composite values as rows.
final class CompositeRows {
    private CompositeRows() {}

    /// Types that the columns of `query`, the body of a function of `type`, take if they have none of their own.
    static List<Type> expected(Type type, Statement.Query query) {
        boolean single = query instanceof Statement.Select select && select.items().size() == 1;
        return single || !CompositeBinder.is(type)
                ? List.of(type)
                : type.composite().attributes().stream().map(Attribute::type).toList();
    }

    /// `bound`, the body of `function`, with as many columns as the function has.
    static BoundQuery fitted(BoundQuery bound, SqlFunction function, Place place) {
        List<Prepared.OutputColumn> columns = bound.columns();
        boolean composite = columns.size() == 1 && CompositeBinder.is(columns.getFirst().type());
        int wanted = function.result().size();
        if (!function.returnsSet()
                && CompositeBinder.is(function.type())
                && !composite
                && columns.size() == function.type().composite().size()) {
            return together(bound, function.type(), place);
        } else if (function.returnsSet()
                && composite
                && !(wanted == 1 && CompositeBinder.is(function.type()))
                && columns.getFirst().type().composite().size() == wanted) {
            return apart(bound);
        }
        return bound;
    }

    /// `value`, the result of a function of `type`, as a row of one attribute if `type` has one.
    static Scalar fitted(Scalar value, Type type, Place place) {
        boolean single =
                CompositeBinder.is(type)
                        && type.composite().size() == 1
                        && !CompositeBinder.is(value.type())
                        && !OpenType.adapts(value.type(), type);
        return single ? CompositeBinder.assembled(List.of(value), type, place) : value;
    }

    private static Scalar.ColumnRef read(BoundQuery bound, int i) {
        Prepared.OutputColumn own = bound.columns().get(i);
        return new Scalar.ColumnRef(i, own.type(), own.nullable(), own.name());
    }

    private static BoundQuery together(BoundQuery bound, Type type, Place place) {
        List<Scalar> attributes = new ArrayList<>();
        for (int i = 0; i < bound.columns().size(); i++) {
            attributes.add(read(bound, i));
        }
        Scalar row = CompositeBinder.assembled(attributes, type, place);
        return projected(bound, List.of(row), List.of("row"));
    }

    private static BoundQuery apart(BoundQuery bound) {
        Scalar row = read(bound, 0);
        CompositeType type = row.type().composite();
        List<Scalar> attributes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < type.size(); i++) {
            attributes.add(CompositeBinder.attribute(row, i));
            names.add(type.attributes().get(i).name());
        }
        return projected(bound, attributes, names);
    }

    private static BoundQuery projected(BoundQuery bound, List<Scalar> values, List<String> names) {
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        List<Boolean> untyped = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Type type = Typing.plain(values.get(i).type());
            columns.add(new Prepared.OutputColumn(names.get(i), type, true, ""));
            untyped.add(false);
        }
        Plan plan = new Plan.Project(bound.plan(), List.copyOf(values));
        return new BoundQuery(plan, List.copyOf(columns), List.copyOf(untyped));
    }
}
