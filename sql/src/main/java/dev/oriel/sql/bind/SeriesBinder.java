package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.FromParser;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds GENERATE_SERIES and GENERATE_SUBSCRIPTS.
final class SeriesBinder {
    private final ScalarBinder scalars;
    private final SqlText source;

    SeriesBinder(ScalarBinder scalars) {
        this.scalars = scalars;
        this.source = scalars.source();
    }

    Plan bind(Expression.Call call) {
        return call.name().equalsIgnoreCase(FromParser.GENERATE_SUBSCRIPTS)
                ? series(subscripts(call))
                : series(call);
    }

    /// The subscripts of an array's dimension as a series, downwards if the third argument is TRUE.
    private Expression.Call subscripts(Expression.Call call) {
        int position = call.position();
        List<Expression> given = call.arguments();
        boolean plain = !call.star() && !call.distinct() && call.extras() == null;
        if (given.size() < 2 || given.size() > 3 || !plain) {
            throw source.at(position)
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            "GENERATE_SUBSCRIPTS takes 2 or 3 arguments: array, dimension and,"
                                    + " optionally, whether to count downwards");
        }
        List<Expression> of = given.subList(0, 2);
        Expression first = new Expression.Call(position, Function.ARRAY_LOWER.called(), of);
        Expression last = new Expression.Call(position, Function.ARRAY_UPPER.called(), of);
        List<Expression> bounds = new ArrayList<>(List.of(first, last));
        if (given.size() == 3) {
            Expression down = given.get(2);
            Expression one = new Expression.Literal(position, Expression.Literal.Kind.INTEGER, "1");
            bounds.set(0, choice(down, last, first));
            bounds.set(1, choice(down, first, last));
            bounds.add(choice(down, new Expression.Negation(position, one), one));
        }
        return new Expression.Call(position, FromParser.GENERATE_SERIES, List.copyOf(bounds));
    }

    private static Expression choice(Expression condition, Expression yes, Expression no) {
        return new Expression.Case(
                condition.position(), null, List.of(new Expression.When(condition, yes)), no);
    }

    private Plan series(Expression.Call call) {
        SqlText.Place place = source.at(call.position());
        int given = call.arguments().size();
        if (given == 1) { // as in DuckDB
            Expression zero =
                    new Expression.Literal(call.position(), Expression.Literal.Kind.INTEGER, "0");
            List<Expression> both = List.of(zero, call.arguments().getFirst());
            return series(new Expression.Call(call.position(), call.name(), both));
        }
        if (given < 2 || given > 3 || call.star() || call.distinct() || call.extras() != null) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "GENERATE_SERIES takes 1 to 3 arguments: first value, last value and,"
                            + " optionally, step");
        }
        Intervals.Span span =
                given == 3 ? IntervalBinder.span(uncast(call.arguments().get(2)), source) : null;
        Expression.Literal text = given == 3 ? text(call.arguments().get(2)) : null;
        List<Expression> bounds = new ArrayList<>(call.arguments());
        if (span != null || text != null) {
            bounds.removeLast();
        }
        List<Scalar> bound =
                scalars.unified(
                        bounds, "GENERATE_SERIES", call.position(), OpenType.of(Typing.INTEGER));
        Type type = ScalarBinder.common(bound);
        if (text != null && Typing.family(type) == Typing.Family.DATE) {
            // As in PostgreSQL, a string as the step between dates is an interval.
            Expression step = new Expression.IntervalLiteral(text.position(), text.text(), "");
            span = IntervalBinder.span(step, source);
        }
        if (span != null) {
            return times(bound, span, type, place);
        }
        if (!Typing.isNumber(type) || type.shape() == Type.Shape.DOUBLE) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "GENERATE_SERIES needs integers or decimals, or dates and an INTERVAL, not "
                            + type);
        }
        Scalar one =
                type.shape() == Type.Shape.DECIMAL
                        ? Scalar.Constant.of(type, BigDecimal.ONE)
                        : Scalar.Constant.of(type, 1L);
        Scalar step = one;
        if (given == 3) {
            step = text == null ? bound.get(2) : scalars.bind(text, type);
        }
        return new Plan.Series(bound.get(0), bound.get(1), step, null, type, place);
    }

    /// `'1 day'::interval` as `INTERVAL '1 day'`.
    private static Expression uncast(Expression step) {
        boolean span =
                step instanceof Expression.Cast cast
                        && cast.type().equals(Typing.INTERVAL)
                        && text(cast.operand()) != null;
        Expression.Literal text = span ? text(((Expression.Cast) step).operand()) : null;
        return text == null
                ? step
                : new Expression.IntervalLiteral(step.position(), text.text(), "");
    }

    /// The literal `step`, if it is a string: it has the type of the bounds, or is an interval.
    private static Expression.@Nullable Literal text(Expression step) {
        return step instanceof Expression.Literal literal
                        && literal.kind() == Expression.Literal.Kind.STRING
                ? literal
                : null;
    }

    private Plan times(List<Scalar> bound, Intervals.Span span, Type type, SqlText.Place place) {
        if (Typing.family(type) != Typing.Family.DATE) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "GENERATE_SERIES by an INTERVAL needs dates or timestamps, not " + type);
        }
        boolean date = type.name() == Type.Name.DATE;
        Type of = date ? Type.of(Type.Name.TIMESTAMP) : type;
        Scalar first = scalars.converted(bound.get(0), of, place.position());
        Scalar last = scalars.converted(bound.get(1), of, place.position());
        Scalar none = Scalar.Constant.of(Typing.INTEGER, 0L);
        return new Plan.Series(first, last, none, span, of, place);
    }
}
