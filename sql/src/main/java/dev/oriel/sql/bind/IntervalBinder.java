package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.IntervalText;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import java.time.DateTimeException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds dates and times plus or minus an INTERVAL, with an optional factor. As in PostgreSQL a DATE becomes a
/// TIMESTAMP, and a TIME wraps around at midnight.
final class IntervalBinder {
    private final ScalarBinder scalars;
    private final SqlText source;

    IntervalBinder(ScalarBinder scalars) {
        this.scalars = scalars;
        this.source = scalars.source();
    }

    /// An INTERVAL literal by itself.
    static Scalar constant(Expression.IntervalLiteral literal, SqlText source) {
        Intervals.Span span = span(literal, source);
        if (span == null) {
            throw new IllegalStateException("an INTERVAL has no span");
        }
        return constant(span, source.at(literal.position()));
    }

    private static Scalar constant(Intervals.Span span, SqlText.Place place) {
        try {
            return Scalar.Constant.of(Typing.INTERVAL, Intervals.bytes(span));
        } catch (ArithmeticException tooLong) {
            throw Integers.outOfRange(Typing.INTERVAL, place);
        }
    }

    /// A span, multiplied by `factor`.
    private record Distance(Intervals.Span span, @Nullable Expression factor) {}

    /// An operator with an interval operand.
    private record Move(Expression.Binary binary, Expression moved, Distance distance) {
        private boolean back() {
            return binary.operator() == Operator.SUBTRACT;
        }
    }

    /// Binds `binary` if one side of it is an interval; else null. Chains are bound by a loop.
    @Nullable Scalar moved(Expression.Binary binary) {
        Move move = move(binary);
        if (move == null) {
            return null;
        }
        Deque<Move> moves = new ArrayDeque<>();
        Expression first = binary;
        while (move != null) {
            moves.push(move);
            first = move.moved;
            move = first instanceof Expression.Binary inner ? move(inner) : null;
        }
        Scalar value = scalars.bind(first, OpenType.of(Type.of(Type.Name.TIMESTAMP)));
        for (Move each : moves) {
            Expression times = each.distance.factor;
            Scalar factor = times == null ? null : scalars.bind(times, OpenType.of(Typing.INTEGER));
            boolean whole = factor == null || Typing.isInteger(factor.type());
            value =
                    SpanLibrary.isSpan(value) || Typing.isNumber(value.type()) || !whole
                            ? added(value, each, factor)
                            : moved(value, each, factor);
        }
        return value;
    }

    /// Adds the distance by interval arithmetic: `value` is an interval or number, or the factor is not an integer.
    private Scalar added(Scalar value, Move move, @Nullable Scalar factor) {
        SqlText.Place place = source.at(move.binary.position());
        Scalar distance = constant(move.distance.span, place);
        if (factor != null) {
            distance = SpanLibrary.arithmetic(Operator.MULTIPLY, distance, factor, place);
        }
        return SpanLibrary.arithmetic(move.binary.operator(), value, distance, place);
    }

    private @Nullable Move move(Expression.Binary binary) {
        Operator operator = binary.operator();
        if (operator != Operator.ADD && operator != Operator.SUBTRACT) {
            return null;
        }
        Distance right = distance(binary.right());
        if (right != null) {
            return new Move(binary, binary.left(), right);
        }
        Distance left = operator == Operator.ADD ? distance(binary.left()) : null;
        return left == null ? null : new Move(binary, binary.right(), left);
    }

    private @Nullable Distance distance(Expression expression) {
        Intervals.Span span = span(expression, source);
        if (span != null) {
            return new Distance(span, null);
        }
        if (expression instanceof Expression.Binary product
                && product.operator() == Operator.MULTIPLY) {
            Intervals.Span left = span(product.left(), source);
            if (left != null) {
                return new Distance(left, product.right());
            }
            Intervals.Span right = span(product.right(), source);
            return right == null ? null : new Distance(right, product.left());
        }
        return null;
    }

    private Scalar moved(Scalar value, Move move, @Nullable Scalar factor) {
        SqlText.Place place = source.at(move.binary.position());
        Distance distance = move.distance;
        Typing.Family family = Typing.family(value.type());
        boolean clock = family == Typing.Family.TIME || family == Typing.Family.TIME_TZ;
        if (family != Typing.Family.DATE && !clock) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    "An INTERVAL can only be added to or taken from a date or a time, not "
                            + value.type());
        }
        Type type =
                value.type().name() == Type.Name.DATE
                        ? Type.of(Type.Name.TIMESTAMP)
                        : Typing.plain(value.type());
        Scalar from = scalars.converted(value, type, move.moved.position());
        Scalar times = factor == null ? Scalar.Constant.of(Typing.INTEGER, 1L) : factor;
        Intervals.Span span = move.back() ? negated(distance.span, place) : distance.span;
        boolean zoned =
                type.name() == Type.Name.TIMESTAMP_TZ && (span.months() != 0 || span.days() != 0);
        List<Scalar> arguments =
                zoned
                        ? List.of(from, times, text(span), Scalar.Constant.of(true))
                        : List.of(from, times, text(span));
        FunctionCall.LongBody body =
                (given, frame) -> later(given, frame, span, new Target(clock, zoned, type, place));
        return Folding.foldAll(
                new FunctionCall.OfLong(Function.MOVED, arguments, type, body), arguments);
    }

    private static Scalar text(Intervals.Span span) {
        return Scalar.Constant.of(Typing.TEXT, span.toString());
    }

    /// @param zoned whether days are those of the session's zone
    private record Target(boolean clock, boolean zoned, Type type, SqlText.Place place) {}

    private static long later(
            List<Scalar> arguments, Frame frame, Intervals.Span span, Target target) {
        long times = arguments.get(1).evalLong(frame);
        if (frame.isNull) {
            return 0;
        }
        long from = arguments.get(0).evalLong(frame);
        if (frame.isNull) {
            return 0;
        }
        if (target.type.name() == Type.Name.TIME_TZ) {
            long later = Intervals.later(ZonedTime.local(from), span.times(times));
            return ZonedTime.of(
                    Math.floorMod(later, Temporals.MICROS_PER_DAY), ZonedTime.east(from));
        }
        try {
            long later =
                    target.zoned
                            ? Intervals.later(from, span.times(times), frame.zone())
                            : Intervals.later(from, span.times(times));
            return target.clock ? Math.floorMod(later, Temporals.MICROS_PER_DAY) : later;
        } catch (ArithmeticException | DateTimeException beyond) {
            throw Integers.outOfRange(target.type, target.place);
        }
    }

    /// The span of an INTERVAL literal; null if `expression` is none.
    static Intervals.@Nullable Span span(Expression expression, SqlText source) {
        if (expression instanceof Expression.IntervalLiteral literal) {
            try {
                return IntervalText.parse(literal.text(), literal.fields());
            } catch (DateTimeException | ArithmeticException unfit) {
                throw source.error(
                        TextFormat.kind(unfit, Typing.INTERVAL),
                        literal.position(),
                        "'" + literal.text() + "' is not an interval, such as '1 day' or '02:30'");
            }
        } else if (expression instanceof Expression.Cast cast
                && cast.type().equals(Typing.INTERVAL)
                && cast.operand() instanceof Expression.Literal literal
                && literal.kind() == Expression.Literal.Kind.STRING) {
            return span(
                    new Expression.IntervalLiteral(literal.position(), literal.text(), ""), source);
        } else if (expression instanceof Expression.Negation negation) {
            Intervals.Span span = span(negation.operand(), source);
            return span == null ? null : negated(span, source.at(negation.position()));
        }
        return null;
    }

    private static Intervals.Span negated(Intervals.Span span, SqlText.Place place) {
        try {
            return span.negated();
        } catch (ArithmeticException tooLong) {
            throw Integers.outOfRange(Typing.INTERVAL, place);
        }
    }
}
