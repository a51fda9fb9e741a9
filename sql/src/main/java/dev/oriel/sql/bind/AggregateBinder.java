package dev.oriel.sql.bind;

import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.AggregateCall.SortTerm;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;

/// Binds calls of aggregates; another binder, over the rows that they aggregate, binds their operands.
final class AggregateBinder {
    private final ScalarBinder rows;
    private final SqlText source;

    AggregateBinder(ScalarBinder rows) {
        this.rows = rows;
        this.source = rows.source();
    }

    /// Binds `call` of `kind`.
    AggregateCall bind(Expression.Call call, AggregateFunction kind) {
        if (kind == AggregateFunction.JAVA_AGGREGATE) {
            return java(call);
        }
        check(call, kind);
        Scalar filter = call.filter() == null ? null : rows.condition(call.filter(), "FILTER");
        List<Scalar> arguments = arguments(call, kind);
        List<SortTerm> order = order(call, kind);
        Type of =
                kind.ordered() && kind != AggregateFunction.PERCENTILE_CONT
                        ? order.getFirst().scalar().type()
                        : arguments.isEmpty() ? Typing.BIGINT : arguments.getFirst().type();
        Type ordered = order.isEmpty() ? of : order.getFirst().scalar().type();
        if (kind == AggregateFunction.PERCENTILE_CONT && isOnLine(ordered)) {
            of = ordered;
        }
        if (!kind.ordered() && indifferent(kind)) {
            order = List.of();
        } else if (call.distinct() && order.isEmpty() && kind.collects()) {
            order = ascending(arguments);
        }
        boolean several = kind.ordered() && !arguments.isEmpty() && isArray(arguments.getFirst());
        return new AggregateCall(
                kind,
                arguments,
                call.distinct(),
                order,
                filter,
                several ? listed(type(kind, of), call) : type(kind, of),
                source.at(call.position()),
                null);
    }

    /// Binds a call of a Java aggregate, whose first argument is the name (put there by the parser).
    private AggregateCall java(Expression.Call call) {
        SqlText.Place place = source.at(call.position());
        String name =
                !call.arguments().isEmpty()
                                && call.arguments().getFirst() instanceof Expression.Literal literal
                        ? literal.text()
                        : "";
        JavaAggregate aggregate = rows.around().binding().computed().aggregate(name);
        boolean within = call.extras() != null && call.extras().within();
        if (aggregate == null || call.star() || within) {
            throw place.error(
                    SqlException.Kind.UNKNOWN_FUNCTION,
                    "There is no aggregate \"" + name + "\" that takes these arguments");
        }
        if (call.distinct() && aggregate.parameters().size() != 1) {
            throw place.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    "DISTINCT needs exactly one argument, and " + name + " takes another number");
        }
        List<Expression> given = call.arguments().subList(1, call.arguments().size());
        return new AggregateCall(
                AggregateFunction.JAVA_AGGREGATE,
                JavaCalls.arguments(
                        rows,
                        aggregate.name(),
                        aggregate.parameters(),
                        new Expression.Call(call.position(), name, given),
                        place),
                call.distinct(),
                order(call, AggregateFunction.JAVA_AGGREGATE),
                call.filter() == null ? null : rows.condition(call.filter(), "FILTER"),
                aggregate.result(),
                place,
                aggregate);
    }

    /// Whether the result is independent of the order of rows.
    private static boolean indifferent(AggregateFunction kind) {
        return kind != AggregateFunction.STRING_AGG
                && kind != AggregateFunction.ANY_VALUE
                && !kind.keepsNull();
    }

    /// The order of different values without an ORDER BY, as in PostgreSQL, which sorts to tell them apart.
    private static List<SortTerm> ascending(List<Scalar> arguments) {
        List<SortTerm> terms = new ArrayList<>();
        for (Scalar argument : arguments) {
            if (!(argument instanceof Scalar.Constant)) {
                terms.add(new SortTerm(argument, false, false));
            }
        }
        return List.copyOf(terms);
    }

    private void check(Expression.Call call, AggregateFunction kind) {
        boolean count = kind == AggregateFunction.COUNT;
        int given = call.arguments().size();
        boolean optional = kind == AggregateFunction.STRING_AGG && given == 1;
        if (call.star() ? !count : given != kind.arguments() && !optional) {
            String words = kind.arguments() == 1 ? " argument" : " arguments";
            throw source.error(
                    SqlException.Kind.UNKNOWN_FUNCTION,
                    call.position(),
                    kind + " takes " + kind.arguments() + words + (count ? " or \"*\"" : ""));
        }
        boolean within = call.extras() != null && call.extras().within();
        if (kind.ordered() && (!within || call.orderBy().size() != 1)) {
            throw source.error(
                    SqlException.Kind.WRONG_OBJECT,
                    call.position(),
                    kind + " needs WITHIN GROUP (ORDER BY ...) with one expression");
        } else if (within && !kind.ordered() && kind != AggregateFunction.STRING_AGG) {
            throw source.error(
                    SqlException.Kind.WRONG_OBJECT,
                    call.position(),
                    kind + " cannot be used with WITHIN GROUP");
        }
        if (call.extras() != null && call.extras().ignoresNulls()) {
            throw source.error(
                    SqlException.Kind.SYNTAX,
                    call.position(),
                    "Aggregates ignore NULL as they are: IGNORE NULLS is for LAG, LEAD and the"
                            + " like");
        }
    }

    private List<SortTerm> order(Expression.Call call, AggregateFunction kind) {
        List<SortTerm> terms = new ArrayList<>();
        for (Statement.Order order : call.orderBy()) {
            boolean numbers = kind == AggregateFunction.PERCENTILE_CONT;
            Scalar scalar =
                    numbers
                            ? rows.bind(order.expression(), Typing.DOUBLE)
                            : rows.bind(order.expression());
            if (numbers && !Typing.isNumber(scalar.type()) && !isOnLine(scalar.type())) {
                throw noNumber(kind, order.expression(), scalar);
            }
            boolean nullsFirst =
                    order.nullsFirst() == null ? order.descending() : order.nullsFirst();
            terms.add(new SortTerm(scalar, order.descending(), nullsFirst));
        }
        return List.copyOf(terms);
    }

    /// Whether values of `type` are dates or times, which have others between them.
    private static boolean isOnLine(Type type) {
        Typing.Family family = Typing.family(type);
        return family == Typing.Family.DATE || family == Typing.Family.TIME;
    }

    private SqlException noNumber(AggregateFunction kind, Expression expression, Scalar scalar) {
        return source.error(
                SqlException.Kind.UNKNOWN_FUNCTION,
                expression.position(),
                kind + " needs numbers, not " + scalar.type());
    }

    private List<Scalar> arguments(Expression.Call call, AggregateFunction kind) {
        List<Scalar> bound = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            bound.add(argument(argument, kind, call.distinct()));
        }
        if (kind == AggregateFunction.ARRAY_AGG) {
            listed(bound.getFirst().type(), call);
        }
        if (kind == AggregateFunction.JSON_OBJECTAGG
                || kind == AggregateFunction.JSON_OBJECTAGG_ABSENT) {
            bound.set(
                    0,
                    JsonBinder.memberName(
                            rows, bound.getFirst(), call.arguments().getFirst().position()));
        }
        return List.copyOf(bound);
    }

    private Scalar argument(Expression argument, AggregateFunction kind, boolean distinct) {
        return switch (kind) {
            case COUNT -> rows.bind(new WholeRows(rows).counted(argument, distinct));
            case JSON_AGG, JSON_ARRAYAGG, JSON_OBJECTAGG, JSON_OBJECTAGG_ABSENT ->
                    rows.bind(new WholeRows(rows).json(argument));
            case MIN, MAX, ANY_VALUE, MODE, ARRAY_AGG -> rows.bind(argument);
            case STRING_AGG -> rows.text(argument, kind.name());
            case BOOL_AND, BOOL_OR -> rows.condition(argument, kind.name());
            case SUM, AVG -> {
                Scalar scalar = rows.bind(argument, OpenType.NUMBER);
                yield SpanLibrary.isSpan(scalar) ? scalar : number(scalar, argument, kind);
            }
            case VAR_SAMP, VAR_POP, STDDEV_SAMP, STDDEV_POP -> number(argument, kind);
            case COVAR_SAMP,
                    COVAR_POP,
                    CORR,
                    REGR_SLOPE,
                    REGR_INTERCEPT,
                    REGR_COUNT,
                    REGR_R2,
                    REGR_SXX,
                    REGR_SYY,
                    REGR_SXY,
                    REGR_AVGX,
                    REGR_AVGY ->
                    rows.converted(number(argument, kind), Typing.DOUBLE, argument.position());
            case PERCENTILE_CONT, PERCENTILE_DISC -> {
                Scalar scalar = rows.bind(argument, OpenType.NUMBER);
                yield isArray(scalar)
                        ? rows.converted(scalar, array(Typing.DOUBLE), argument.position())
                        : rows.converted(
                                number(scalar, argument, kind), Typing.DOUBLE, argument.position());
            }
            case BIT_AND, BIT_OR, BIT_XOR -> {
                Scalar scalar = rows.bind(argument, OpenType.NUMBER);
                if (!Typing.isInteger(scalar.type())) {
                    throw source.error(
                            SqlException.Kind.UNKNOWN_FUNCTION,
                            argument.position(),
                            kind + " needs integers, not " + scalar.type());
                }
                yield scalar;
            }
            case JAVA_AGGREGATE -> throw new IllegalStateException(kind + " binds its own");
        };
    }

    private Scalar number(Expression argument, AggregateFunction kind) {
        return number(rows.bind(argument, OpenType.NUMBER), argument, kind);
    }

    private Scalar number(Scalar scalar, Expression argument, AggregateFunction kind) {
        if (!Typing.isNumber(scalar.type())) {
            throw noNumber(kind, argument, scalar);
        }
        return scalar;
    }

    /// Whether `scalar` is an array of numbers.
    private static boolean isArray(Scalar scalar) {
        Type element = scalar.type().element();
        return element != null && Typing.isNumber(element);
    }

    /// The type of an array of `element`.
    private Type listed(Type element, Expression.Call call) {
        if (element.element() != null) {
            throw source.error(
                    SqlException.Kind.NOT_SUPPORTED,
                    call.position(),
                    "Arrays cannot be nested; use JSON_AGG");
        }
        return array(element);
    }

    private static Type array(Type element) {
        return Type.array(Typing.plain(element));
    }

    /// Result types as in PostgreSQL: sums of narrow integers are BIGINT, of BIGINT are DECIMAL; averages of
    /// integers are DECIMAL.
    private static Type type(AggregateFunction kind, Type argument) {
        return switch (kind) {
            case COUNT -> Typing.BIGINT;
            case MIN, MAX, ANY_VALUE, MODE, PERCENTILE_DISC, BIT_AND, BIT_OR, BIT_XOR ->
                    Typing.plain(argument);
            case SUM ->
                    switch (argument.shape()) {
                        case LONG ->
                                argument.name() == Type.Name.BIGINT
                                        ? Typing.DECIMAL
                                        : Typing.BIGINT;
                        case DOUBLE -> argument;
                        case DECIMAL, TEXT, FOLDED -> Typing.DECIMAL;
                        case BYTES -> Typing.INTERVAL;
                    };
            case AVG ->
                    argument.shape() == Type.Shape.BYTES
                            ? Typing.INTERVAL
                            : argument.shape() == Type.Shape.DOUBLE
                                    ? Typing.DOUBLE
                                    : Typing.DECIMAL;
            case VAR_SAMP, VAR_POP, STDDEV_SAMP, STDDEV_POP ->
                    argument.shape() == Type.Shape.DOUBLE ? Typing.DOUBLE : Typing.DECIMAL;
            case BOOL_AND, BOOL_OR -> Typing.BOOLEAN;
            case STRING_AGG -> Typing.TEXT;
            case ARRAY_AGG -> array(argument);
            case JSON_AGG, JSON_ARRAYAGG, JSON_OBJECTAGG, JSON_OBJECTAGG_ABSENT -> Typing.JSON;
            case REGR_COUNT -> Typing.BIGINT;
            case COVAR_SAMP,
                    COVAR_POP,
                    CORR,
                    REGR_SLOPE,
                    REGR_INTERCEPT,
                    REGR_R2,
                    REGR_SXX,
                    REGR_SYY,
                    REGR_SXY,
                    REGR_AVGX,
                    REGR_AVGY ->
                    Typing.DOUBLE;
            case PERCENTILE_CONT -> isOnLine(argument) ? Typing.plain(argument) : Typing.DOUBLE;
            case JAVA_AGGREGATE -> throw new IllegalStateException(kind + " has its own type");
        };
    }
}
