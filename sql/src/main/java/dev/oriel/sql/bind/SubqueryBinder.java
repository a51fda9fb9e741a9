package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Subquery;
import dev.oriel.sql.planner.BoundQuery;
import dev.oriel.sql.planner.BoundSelect;
import dev.oriel.sql.planner.ColumnPruning;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.planner.Planner;
import dev.oriel.sql.planner.PushDown;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Binds subqueries in expressions.
final class SubqueryBinder {
    private final ScalarBinder outer;
    private final SqlText source;

    SubqueryBinder(ScalarBinder outer) {
        this.outer = outer;
        this.source = outer.source();
    }

    /// Binds `nested`; if it returns a parameter, that takes the type `expected`.
    Scalar bind(Expression.Nested nested, Type expected) {
        return switch (nested) {
            case Expression.Subquery subquery -> value(subquery, expected);
            case Expression.Exists exists -> exists(exists);
            case Expression.InQuery in -> in(in);
            case Expression.Quantified quantified -> quantified(quantified);
        };
    }

    private Scalar value(Expression.Subquery subquery, Type expected) {
        Correlation correlation = correlation();
        BoundQuery query = bind(correlation, subquery.query(), List.of(expected));
        checkOneColumn(query, subquery.query());
        return new Subquery.OfValue(
                nested(correlation, subquery.position(), query.plan()),
                0,
                query.columns().getFirst().type(),
                source.at(subquery.position()));
    }

    /// The values of a single-row query with one column for each type in `expected`.
    List<Scalar> row(Expression.Subquery subquery, List<Type> expected) {
        Correlation correlation = correlation();
        BoundQuery query = bind(correlation, subquery.query(), expected);
        int columns = query.columns().size();
        if (columns != expected.size()) {
            throw source.error(
                    Kind.SYNTAX,
                    subquery.position(),
                    "The query has " + columns + " columns for " + expected.size());
        }
        Subquery.Nested nested = nested(correlation, subquery.position(), query.plan());
        List<Scalar> values = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            Type type = query.columns().get(i).type();
            values.add(new Subquery.OfValue(nested, i, type, source.at(subquery.position())));
        }
        return values;
    }

    private Scalar exists(Expression.Exists exists) {
        Correlation correlation = correlation();
        BindContext inside = outer.around().within(correlation);
        if (exists.query() instanceof Statement.Select select) {
            BoundSelect bound = new SelectBinder(inside).bind(select, List.of());
            return exists(bound, correlation, exists.position());
        }
        BoundQuery query = new QueryBinder(inside).bind(exists.query(), List.of());
        Plan plan = PushDown.filtered(query.plan(), query.replan(), List.of(), new BitSet());
        return new Subquery.Exists(nested(correlation, exists.position(), plan));
    }

    /// Whether there are rows of `select`, of which no columns are read.
    private Scalar exists(BoundSelect select, Correlation correlation, int position) {
        Estimate estimate = outer.around().within(correlation).estimate();
        BoundSelect bound = ColumnPruning.of(select, new BitSet(), estimate);
        Subquery.Member member = SemiJoinRewrite.of(bound, correlation, position, outer);
        return member != null
                ? member
                : new Subquery.Exists(nested(correlation, position, Planner.plan(bound, estimate)));
    }

    /// Whether `condition` is an IN for [#filter].
    static boolean isFilter(Expression condition) {
        return condition instanceof Expression.InQuery in
                && !in.negated()
                && !(in.operand() instanceof Expression.RowValue)
                && !ScalarBinder.untyped(in.operand())
                && in.query() instanceof Statement.Select;
    }

    /// `in`, with FALSE allowed in place of unknown. If its query reads outer columns, `a IN (SELECT b ...)` becomes
    /// `EXISTS (SELECT ... AND a = b)`, so that each test reads only the rows with that `b`.
    Scalar filter(Expression.InQuery in) {
        Correlation correlation = correlation();
        BindContext inside = outer.around().within(correlation);
        Scalar operand = outer.bind(in.operand(), OpenType.TEXT);
        BoundSelect bound =
                new SelectBinder(inside)
                        .bind((Statement.Select) in.query(), List.of(operand.type()));
        if (!correlation.arguments().isEmpty() && isPlain(bound)) {
            Scalar read = bound.outputs().getFirst().scalar();
            Scalar[] pair = outer.compared(operand, read, in.position(), Operator.EQUAL);
            if (pair[1] instanceof Scalar.ColumnRef) {
                inside.estimate().note(() -> "decorrelate: IN asks for a row as EXISTS does");
                Scalar same =
                        new Condition.Comparison(
                                Operator.EQUAL, pair[1], correlation.argument(pair[0]));
                return exists(bound.filtered(same), correlation, in.position());
            }
        }
        BoundQuery query = new QueryBinder(inside).planned(bound);
        checkOneColumn(query, in.query());
        return any(operand, query, Operator.EQUAL, in.position(), in.query(), correlation);
    }

    /// Whether each row of FROM for which WHERE holds is a row of `select`.
    private static boolean isPlain(BoundSelect select) {
        return select.visible() == 1
                && select.from() != null
                && select.grouping() == null
                && select.windows().isEmpty()
                && select.qualify() == null
                && select.limits().equals(BoundSelect.Limits.NONE);
    }

    private Scalar in(Expression.InQuery in) {
        if (in.operand() instanceof Expression.RowValue row) {
            Scalar any = anyRow(row, in.query());
            return in.negated() ? new Condition.Not(any) : any;
        }
        Scalar any = any(in.operand(), Operator.EQUAL, in.query(), in.position());
        return in.negated() ? new Condition.Not(any) : any;
    }

    /// ALL holds if the negated comparison holds for no row.
    private Scalar quantified(Expression.Quantified quantified) {
        if (quantified.operand() instanceof Expression.RowValue row) {
            return quantified(row, quantified);
        }
        Operator operator =
                quantified.all() ? quantified.operator().inverse() : quantified.operator();
        Scalar any = any(quantified.operand(), operator, quantified.query(), quantified.position());
        return quantified.all() ? new Condition.Not(any) : any;
    }

    private Scalar any(
            Expression expression, Operator operator, Statement.Query inner, int position) {
        Correlation correlation = correlation();
        Scalar operand;
        BoundQuery query;
        if (ScalarBinder.untyped(expression)) {
            query = bind(correlation, inner, List.of());
            checkOneColumn(query, inner);
            operand = outer.bind(expression, OpenType.beside(query.columns().getFirst().type()));
        } else {
            operand = outer.bind(expression, OpenType.TEXT);
            query = bind(correlation, inner, List.of(operand.type()));
            checkOneColumn(query, inner);
        }
        return any(operand, query, operator, position, inner, correlation);
    }

    private Scalar any(
            Scalar operand,
            BoundQuery query,
            Operator operator,
            int position,
            Statement.Query inner,
            Correlation correlation) {
        Prepared.OutputColumn column = query.columns().getFirst();
        Scalar read = new Scalar.ColumnRef(0, column.type(), column.nullable(), column.name());
        Scalar[] pair = outer.compared(operand, read, position, operator);
        Plan plan =
                pair[1].equals(read)
                        ? query.plan()
                        : new Plan.Project(query.plan(), List.of(pair[1]));
        return new Subquery.Any(nested(correlation, inner.position(), plan), operator, pair[0]);
    }

    /// A row and a query compared with each other, which take types from each other.
    private record Sides(Correlation correlation, List<Scalar> values, BoundQuery query) {
        List<Scalar> columns() {
            List<Scalar> columns = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                Prepared.OutputColumn column = query.columns().get(i);
                columns.add(
                        new Scalar.ColumnRef(i, column.type(), column.nullable(), column.name()));
            }
            return columns;
        }
    }

    private Sides sides(Expression.RowValue row, Statement.Query inner) {
        Correlation correlation = correlation();
        List<Scalar> operands = new ArrayList<>();
        List<Type> expected = new ArrayList<>();
        boolean typed = row.values().stream().noneMatch(ScalarBinder::untyped);
        if (typed) {
            row.values().forEach(value -> operands.add(outer.bind(value, OpenType.TEXT)));
            operands.forEach(operand -> expected.add(operand.type()));
        }
        BoundQuery query = bind(correlation, inner, expected);
        for (int i = 0; !typed && i < row.values().size(); i++) {
            boolean known = i < query.columns().size();
            Type type = known ? OpenType.beside(query.columns().get(i).type()) : OpenType.TEXT;
            operands.add(outer.bind(row.values().get(i), type));
        }
        if (query.columns().size() != operands.size()) {
            throw source.error(
                    Kind.SYNTAX,
                    inner.position(),
                    "The subquery returns "
                            + query.columns().size()
                            + " columns, and is compared with "
                            + operands.size());
        }
        return new Sides(correlation, operands, query);
    }

    private Scalar anyRow(Expression.RowValue row, Statement.Query inner) {
        Sides sides = sides(row, inner);
        List<Scalar> operands = sides.values();
        List<Scalar> columns = sides.columns();
        for (int i = 0; i < operands.size(); i++) {
            Scalar[] pair =
                    outer.compared(operands.get(i), columns.get(i), row.position(), Operator.EQUAL);
            operands.set(i, pair[0]);
            columns.set(i, pair[1]);
        }
        Plan plan = new Plan.Project(sides.query().plan(), List.copyOf(columns));
        return new Subquery.RowAny(
                nested(sides.correlation(), inner.position(), plan), List.copyOf(operands));
    }

    /// `(a, b) = (SELECT ...)` and similar, with the only row of `query`; NULL if it has none.
    Scalar comparison(
            Expression.RowValue row, Expression.Binary binary, Expression.Subquery query) {
        Sides sides = sides(row, query.query());
        Subquery.Nested nested =
                nested(sides.correlation(), query.position(), sides.query().plan());
        List<Scalar> found = new ArrayList<>();
        for (int i = 0; i < sides.values().size(); i++) {
            Type type = sides.query().columns().get(i).type();
            found.add(new Subquery.OfValue(nested, i, type, source.at(query.position())));
        }
        RowValueBinder.Pairs pairs =
                new RowValueBinder(outer).pairs(sides.values(), found, binary.position());
        return RowValueBinder.comparison(found.size(), binary.operator(), pairs);
    }

    /// `(a, b) < ANY (SELECT ...)` and similar: whether the comparison with a row is true, or with ALL, none is
    /// false.
    private Scalar quantified(Expression.RowValue row, Expression.Quantified quantified) {
        Sides sides = sides(row, quantified.query());
        List<Scalar> given =
                sides.values().stream().map(value -> sides.correlation().argument(value)).toList();
        RowValueBinder.Pairs pairs =
                new RowValueBinder(outer).pairs(given, sides.columns(), quantified.position());
        Scalar compared = RowValueBinder.comparison(given.size(), quantified.operator(), pairs);
        Plan plan = new Plan.Project(sides.query().plan(), List.of(compared));
        Scalar any =
                new Subquery.Any(
                        nested(sides.correlation(), quantified.query().position(), plan),
                        Operator.EQUAL,
                        Scalar.Constant.of(Typing.BOOLEAN, quantified.all() ? 0L : 1L));
        return quantified.all() ? new Condition.Not(any) : any;
    }

    private Correlation correlation() {
        return new Correlation(outer, outer.around().nextNumber(), false);
    }

    private BoundQuery bind(Correlation correlation, Statement.Query query, List<Type> expected) {
        return new QueryBinder(outer.around().within(correlation)).bind(query, expected);
    }

    private static Subquery.Nested nested(Correlation correlation, int position, Plan plan) {
        return new Subquery.Nested(correlation.number(), position, plan, correlation.arguments());
    }

    private void checkOneColumn(BoundQuery query, Statement.Query inner) {
        if (query.columns().size() != 1) {
            throw source.error(
                    Kind.SYNTAX,
                    inner.position(),
                    "A subquery that is compared or used as a value must have one column, not "
                            + query.columns().size());
        }
    }
}
