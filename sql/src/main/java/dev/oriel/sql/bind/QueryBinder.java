package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.BoundSelect;
import dev.oriel.sql.planner.Planner;
import dev.oriel.sql.planner.PushDown;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds and plans queries of every kind. [SelectBinder] binds SELECT.
public final class QueryBinder {
    private final BindContext around;
    private final SqlText source;

    public QueryBinder(BindContext around) {
        this.around = around;
        this.source = around.source();
    }

    /// Binds `query`.
    ///
    /// @param expected types for columns without a type of their own; one for each column, or none
    public BoundQuery bind(Statement.Query query, List<Type> expected) {
        Cancellation.pollRunning();
        return switch (query) {
            case Statement.Select select -> select(select, expected);
            case Statement.RowList list -> rows(list, expected);
            case Statement.SetOperation operation -> operation(operation, expected);
            case Statement.With with -> new WithBinder(around).bind(with, expected);
            case Statement.Locking locking -> new LockingBinder(around).bind(locking, expected);
            case Statement.ChangedRows changed ->
                    throw source.error(
                            Kind.NOT_SUPPORTED,
                            changed.position(),
                            "A change in WITH must be at the beginning of the statement, and in no"
                                    + " view or new table");
        };
    }

    private BoundQuery select(Statement.Select select, List<Type> expected) {
        return planned(new SelectBinder(around).bind(select, expected));
    }

    BoundQuery planned(BoundSelect bound) {
        List<Boolean> untyped = new ArrayList<>();
        bound.outputs()
                .subList(0, bound.visible())
                .forEach(output -> untyped.add(output.untyped()));
        return new BoundQuery(
                Planner.plan(bound, around.estimate()),
                bound.columns(),
                List.copyOf(untyped),
                PushDown.of(bound, around.estimate()));
    }

    private BoundQuery rows(Statement.RowList list, List<Type> expected) {
        int width = list.rows().getFirst().expressions().size();
        for (Statement.Values row : list.rows()) {
            if (row.expressions().size() != width) {
                throw source.error(
                        Kind.SYNTAX,
                        row.position(),
                        "The rows of VALUES differ in length: the first has "
                                + width
                                + ", this one has "
                                + row.expressions().size());
            }
        }
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        Scalar[][] values = new Scalar[list.rows().size()][width];
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        List<Boolean> untyped = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            int column = i;
            List<Expression> all =
                    list.rows().stream().map(row -> row.expressions().get(column)).toList();
            Type otherwise =
                    expected.size() == width ? Typing.plain(expected.get(i)) : OpenType.TEXT;
            List<Scalar> bound = binder.unified(all, "VALUES", list.position(), otherwise);
            boolean nullable = false;
            for (int row = 0; row < values.length; row++) {
                values[row][i] = bound.get(row);
                nullable |= bound.get(row).nullable();
            }
            columns.add(
                    new Prepared.OutputColumn(
                            "column" + (i + 1), ScalarBinder.common(bound), nullable, ""));
            untyped.add(all.stream().allMatch(ScalarBinder::untyped));
        }
        List<Type> types = columns.stream().map(Prepared.OutputColumn::type).toList();
        Plan plan = new Plan.Rows(Arrays.stream(values).map(List::of).toList(), types);
        return ended(new BoundQuery(plan, List.copyOf(columns), untyped), list.tail());
    }

    private BoundQuery operation(Statement.SetOperation operation, List<Type> expected) {
        SetOperationBinder.Combined combined =
                new SetOperationBinder(around, this).bind(operation, expected);
        if (operation.tail().isNone()) {
            return combined.query(around);
        }
        BoundQuery ended =
                ended(
                        new BoundQuery(
                                combined.plan(),
                                List.copyOf(combined.columns()),
                                combined.untyped()),
                        operation.tail());
        return ended.with(
                PushDown.of(
                        List.copyOf(combined.sides()),
                        combined.combination(ended.plan()),
                        around.estimate()));
    }

    /// The plan of `query`, with its columns converted to the types of `columns`.
    Plan converted(BoundQuery query, List<Prepared.OutputColumn> columns, int position) {
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        List<Scalar> scalars = new ArrayList<>();
        boolean same = true;
        for (int i = 0; i < columns.size(); i++) {
            Prepared.OutputColumn own = query.columns().get(i);
            Scalar read = new Scalar.ColumnRef(i, own.type(), own.nullable(), own.name());
            Scalar scalar = binder.converted(read, columns.get(i).type(), position);
            same &= scalar.equals(read);
            scalars.add(scalar);
        }
        return same ? query.plan() : new Plan.Project(query.plan(), List.copyOf(scalars));
    }

    private BoundQuery ended(BoundQuery query, Statement.Tail tail) {
        Plan plan = query.plan();
        List<SortKey> keys = new ArrayList<>();
        for (Statement.Order order : tail.orderBy()) {
            boolean nullsFirst =
                    order.nullsFirst() == null ? order.descending() : order.nullsFirst();
            int column = column(order.expression(), query.columns());
            keys.add(new SortKey(column, order.descending(), nullsFirst));
        }
        if (!keys.isEmpty()) {
            plan = new Plan.Sort(plan, List.copyOf(keys));
        }
        plan = limits(around, tail).above(plan, List.copyOf(keys));
        return new BoundQuery(plan, query.columns(), query.untyped());
    }

    /// LIMIT and OFFSET of `tail`.
    static BoundSelect.Limits limits(BindContext around, Statement.Tail tail) {
        return new BoundSelect.Limits(
                tail.percent() ? share(around, tail.limit()) : count(around, tail.limit(), "LIMIT"),
                count(around, tail.offset(), "OFFSET"),
                tail.ties());
    }

    private int column(Expression expression, List<Prepared.OutputColumn> columns) {
        int position = SelectBinder.position(source, expression, columns.size(), "ORDER BY");
        if (position >= 0) {
            return position;
        }
        if (!(expression instanceof Expression.Name name) || name.qualifier() != null) {
            throw source.error(
                    Kind.NOT_SUPPORTED,
                    expression.position(),
                    "Here ORDER BY takes names and positions of the result's columns only");
        }
        List<String> names = new ArrayList<>();
        int found = -1;
        for (int i = 0; i < columns.size(); i++) {
            names.add(columns.get(i).name());
            if (columns.get(i).name().equalsIgnoreCase(name.name())) {
                if (found >= 0) {
                    throw source.error(
                            Kind.AMBIGUOUS_COLUMN,
                            name.position(),
                            "More than one column of the result is called \"" + name.name() + "\"");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw source.error(
                    Kind.UNKNOWN_COLUMN,
                    name.position(),
                    "The result has no column \""
                            + name.name()
                            + "\""
                            + Nearest.hint(name.name(), names));
        }
        return found;
    }

    /// The count of FETCH ... PERCENT.
    private static Plan.@Nullable Count share(BindContext around, @Nullable Expression expression) {
        if (expression == null) {
            return null;
        }
        ScalarBinder constants = new ScalarBinder(around, Scope.EMPTY);
        Scalar bound = constants.bind(expression, Typing.DOUBLE);
        if (!Typing.isNumber(bound.type())) {
            throw around.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            expression.position(),
                            "PERCENT needs a number, not " + bound.type());
        }
        Scalar share = constants.converted(bound, Typing.DOUBLE, expression.position());
        return new Plan.Count(share, around.source().at(expression.position()), true);
    }

    /// The count of LIMIT or OFFSET; null if there is none.
    static Plan.@Nullable Count count(
            BindContext around, @Nullable Expression expression, String clause) {
        if (expression == null) {
            return null;
        }
        ScalarBinder constants = new ScalarBinder(around, Scope.EMPTY);
        Scalar bound = constants.bind(expression, Typing.BIGINT);
        if (!Typing.isInteger(bound.type())) {
            throw around.source()
                    .error(
                            Kind.TYPE_MISMATCH,
                            expression.position(),
                            clause + " needs an integer, not " + bound.type());
        }
        return new Plan.Count(bound, around.source().at(expression.position()));
    }
}
