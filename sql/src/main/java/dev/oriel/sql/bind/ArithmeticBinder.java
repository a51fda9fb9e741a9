package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Arithmetic;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.time.DateTimeException;

/// Types `+ - * / %`: of numbers, of days (DATE + INTEGER, DATE - INTEGER, DATE - DATE), and of days and times
/// (DATE + TIME).
final class ArithmeticBinder {
    private final ScalarBinder scalars;

    ArithmeticBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    /// Binds an arithmetic operator, with `expected` as the preferred type of the result.
    Scalar arithmetic(Expression.Binary binary, Type expected) {
        Place place = scalars.source().at(binary.position());
        Scalar moved = new IntervalBinder(scalars).moved(binary);
        if (moved != null) {
            return moved;
        }
        Type otherwise = Typing.isNumber(expected) ? OpenType.beside(expected) : OpenType.NUMBER;
        Scalar left;
        Scalar right;
        if (!ScalarBinder.untyped(binary.left())) {
            left = scalars.bind(binary.left(), otherwise);
            if (left.type().name() == Type.Name.JSON && binary.operator() == Operator.SUBTRACT) {
                return new JsonEditBinder(scalars).without(left, binary.right(), place);
            }
            right = scalars.bind(binary.right(), partner(binary, binary.right(), left.type()));
        } else {
            right = scalars.bind(binary.right(), otherwise);
            left = scalars.bind(binary.left(), partner(binary, binary.left(), right.type()));
        }
        return combined(binary.operator(), left, right, place);
    }

    /// Applies `operator` to bound operands.
    Scalar combined(Operator operator, Scalar left, Scalar right, Place place) {
        if (Typing.isNumber(left.type()) && Typing.isNumber(right.type())) {
            return numbers(operator, left, right, place);
        }
        if (SpanLibrary.isSpan(left) || SpanLibrary.isSpan(right)) {
            return SpanLibrary.arithmetic(operator, left, right, place);
        }
        boolean sum = operator == Operator.ADD || operator == Operator.SUBTRACT;
        if (sum && (isMoment(left) || isZonedTime(left)) && isTime(right)) {
            return SpanLibrary.arithmetic(operator, left, sinceMidnight(right, place), place);
        }
        if (operator == Operator.ADD && isTime(left) && (isMoment(right) || isZonedTime(right))) {
            return SpanLibrary.arithmetic(operator, sinceMidnight(left, place), right, place);
        }
        boolean date = left.type().name() == Type.Name.DATE;
        boolean dateRight = right.type().name() == Type.Name.DATE;
        if (date && isZonedTime(right) && operator == Operator.ADD) {
            return fold(SpanLibrary.onDay(left, right, place));
        }
        if (dateRight && isZonedTime(left) && operator == Operator.ADD) {
            return fold(SpanLibrary.onDay(right, left, place));
        }
        Type days = Type.of(Type.Name.DATE);
        if (date && dateRight && operator == Operator.SUBTRACT) {
            return fold(new Arithmetic.OfLongs(operator, left, right, Typing.INTEGER, place));
        }
        if (date && Typing.isInteger(right.type()) && sum) {
            return fold(new Arithmetic.OfLongs(operator, left, right, days, place));
        }
        if (dateRight && Typing.isInteger(left.type()) && operator == Operator.ADD) {
            return fold(new Arithmetic.OfLongs(operator, left, right, days, place));
        }
        if (sum && isMoment(left) && Typing.isNumber(right.type())) {
            return SpanLibrary.arithmetic(operator, left, SpanLibrary.days(right, place), place);
        }
        if (operator == Operator.ADD && isMoment(right) && Typing.isNumber(left.type())) {
            return SpanLibrary.arithmetic(operator, SpanLibrary.days(left, place), right, place);
        }
        if (operator == Operator.SUBTRACT && isMoment(left) && isMoment(right)) {
            Type common = Typing.common(left.type(), right.type());
            if (common != null) {
                return SpanLibrary.between(
                        scalars.converted(left, common, place.position()),
                        scalars.converted(right, common, place.position()),
                        place);
            }
        }
        if (operator == Operator.SUBTRACT && isTime(left) && isTime(right)) {
            return SpanLibrary.between(left, right, place);
        }
        throw place.error(
                Kind.UNKNOWN_FUNCTION,
                "\""
                        + operator.symbol()
                        + "\" cannot be applied to "
                        + left.type()
                        + " and "
                        + right.type());
    }

    private static boolean isMoment(Scalar scalar) {
        return Typing.family(scalar.type()) == Typing.Family.DATE;
    }

    private static boolean isTime(Scalar scalar) {
        return scalar.type().name() == Type.Name.TIME;
    }

    private static boolean isZonedTime(Scalar scalar) {
        return scalar.type().name() == Type.Name.TIME_TZ;
    }

    private Scalar sinceMidnight(Scalar time, Place place) {
        return scalars.converted(time, Typing.INTERVAL, place.position());
    }

    /// The type of `untyped` next to an operand of type `other`. As in PostgreSQL, a quoted date or timestamp in a
    /// subtraction from or of another is one itself. Any other text is an interval or a number of days.
    private static Type partner(Expression.Binary binary, Expression untyped, Type other) {
        if (binary.operator() == Operator.SUBTRACT
                && Typing.family(other) == Typing.Family.DATE
                && untyped instanceof Expression.Literal literal
                && literal.kind() == Expression.Literal.Kind.STRING
                && writes(literal.text(), other)) {
            return Typing.plain(other);
        }
        return switch (other.name()) {
            case DATE -> OpenType.of(Typing.INTEGER);
            case TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> OpenType.of(Typing.INTERVAL);
            case TIME ->
                    OpenType.of(
                            binary.operator() == Operator.ADD
                                    ? Typing.INTERVAL
                                    : Typing.plain(other));
            case INTERVAL ->
                    OpenType.of(
                            binary.operator() == Operator.MULTIPLY
                                            || binary.operator() == Operator.DIVIDE
                                    ? Typing.DOUBLE
                                    : Typing.INTERVAL);
            default -> Typing.plain(other);
        };
    }

    /// Whether `text` has the form of a value of `type`, even if that is out of range.
    private static boolean writes(String text, Type type) {
        try {
            TextFormat.parseLong(text, type);
            return true;
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException unfit) {
            return TextFormat.kind(unfit, type) == Kind.DATETIME_RANGE;
        }
    }

    private Scalar numbers(Operator operator, Scalar left, Scalar right, Place place) {
        Type type = Typing.arithmetic(left.type(), right.type());
        Scalar a = scalars.converted(left, type, place.position());
        Scalar b = scalars.converted(right, type, place.position());
        return fold(
                switch (type.shape()) {
                    case LONG -> new Arithmetic.OfLongs(operator, a, b, type, place);
                    case DOUBLE -> new Arithmetic.OfDoubles(operator, a, b, type, place);
                    case DECIMAL -> new Arithmetic.OfDecimals(operator, a, b, type, place);
                    case TEXT, FOLDED, BYTES ->
                            throw new IllegalStateException("arithmetic of " + type);
                });
    }

    private static Scalar fold(Scalar scalar) {
        return Folding.fold(scalar);
    }
}
