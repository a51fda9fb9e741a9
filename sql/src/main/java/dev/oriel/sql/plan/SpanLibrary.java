package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.util.List;

/// Arithmetic of INTERVAL values.
public final class SpanLibrary {
    private static final BigDecimal MONTH_DAYS = BigDecimal.valueOf(30);
    private static final BigDecimal DAY_MICROS = BigDecimal.valueOf(Temporals.MICROS_PER_DAY);

    private SpanLibrary() {}

    /// Binds an operator with an INTERVAL operand.
    public static Scalar arithmetic(Operator operator, Scalar left, Scalar right, Place place) {
        boolean span = isSpan(left);
        boolean spanRight = isSpan(right);
        boolean sum = operator == Operator.ADD || operator == Operator.SUBTRACT;
        if (span && spanRight && sum) {
            return strict(
                    List.of(left, right, form(operator.symbol())),
                    Typing.INTERVAL,
                    (values, at) -> {
                        Intervals.Span other = Intervals.span((byte[]) values[1]);
                        return Intervals.bytes(
                                Intervals.span((byte[]) values[0])
                                        .plus(operator == Operator.ADD ? other : other.negated()));
                    },
                    place);
        }
        if (spanRight && sum && isMoment(left)) {
            return moved(left, right, operator == Operator.SUBTRACT, place);
        }
        if (span && operator == Operator.ADD && isMoment(right)) {
            return moved(right, left, false, place);
        }
        boolean product = operator == Operator.MULTIPLY;
        if (span && Typing.isNumber(right.type()) && (product || operator == Operator.DIVIDE)) {
            return scaled(left, right, operator == Operator.DIVIDE, place);
        }
        if (spanRight && product && Typing.isNumber(left.type())) {
            return scaled(right, left, false, place);
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

    public static boolean isSpan(Scalar scalar) {
        return scalar.type().name() == Type.Name.INTERVAL;
    }

    private static boolean isMoment(Scalar scalar) {
        Typing.Family family = Typing.family(scalar.type());
        return family == Typing.Family.DATE
                || family == Typing.Family.TIME
                || family == Typing.Family.TIME_TZ;
    }

    /// A date or time plus or minus a span. As in PostgreSQL a DATE becomes a TIMESTAMP.
    private static Scalar moved(Scalar moment, Scalar span, boolean back, Place place) {
        Type of = moment.type();
        Type type = of.name() == Type.Name.DATE ? Type.of(Type.Name.TIMESTAMP) : Typing.plain(of);
        Scalar from =
                of.name() == Type.Name.DATE ? new Conversion(moment, type, false, place) : moment;
        List<Scalar> arguments = List.of(from, span, form(back ? "-" : "+"));
        if (type.name() == Type.Name.TIMESTAMP_TZ) {
            return StrictCall.inZone(
                    Function.INTERVAL_ARITHMETIC,
                    arguments,
                    type,
                    (values, zone, at) -> laterInZone(values, back, zone, at),
                    place);
        }
        return strict(
                arguments,
                type,
                (values, at) -> {
                    Intervals.Span by = Intervals.span((byte[]) values[1]);
                    if (type.name() == Type.Name.TIME_TZ) {
                        return laterTime((Long) values[0], back ? by.negated() : by);
                    }
                    long later = Intervals.later((Long) values[0], back ? by.negated() : by);
                    return type.name() == Type.Name.TIME
                            ? Math.floorMod(later, Temporals.MICROS_PER_DAY)
                            : later;
                },
                place);
    }

    private static long laterTime(long time, Intervals.Span by) {
        long later = Intervals.later(ZonedTime.local(time), by);
        return ZonedTime.of(Math.floorMod(later, Temporals.MICROS_PER_DAY), ZonedTime.east(time));
    }

    /// The moment of a TIME WITH TIME ZONE on a day.
    public static Scalar onDay(Scalar day, Scalar time, Place place) {
        Type moment = Type.of(Type.Name.TIMESTAMP_TZ);
        return strict(
                List.of(day, time),
                moment,
                (values, at) -> {
                    long start = Temporals.startOfDay((Long) values[0]);
                    return NonFinite.isMoment(start)
                            ? start
                            : Math.addExact(start, ZonedTime.utc((Long) values[1]));
                },
                place);
    }

    private static Long laterInZone(Object[] values, boolean back, Zone zone, Place place) {
        try {
            Intervals.Span by = Intervals.span((byte[]) values[1]);
            return Intervals.later((Long) values[0], back ? by.negated() : by, zone);
        } catch (ArithmeticException | DateTimeException beyond) {
            throw Integers.outOfRange(Type.of(Type.Name.TIMESTAMP_TZ), place);
        }
    }

    /// The span of `number` days, as H2 and Oracle add numbers to timestamps.
    public static Scalar days(Scalar number, Place place) {
        byte[] day = Intervals.bytes(new Intervals.Span(0, 1, 0));
        return scaled(Scalar.Constant.of(Typing.INTERVAL, day), number, false, place);
    }

    private static Scalar scaled(Scalar span, Scalar factor, boolean divides, Place place) {
        Scalar number =
                factor.type().name() == Type.Name.DECIMAL
                        ? factor
                        : new Conversion(factor, Typing.DECIMAL, false, place);
        return strict(
                List.of(span, number, form(divides ? "/" : "*")),
                Typing.INTERVAL,
                (values, at) -> {
                    BigDecimal by = (BigDecimal) values[1];
                    if (NonFinite.is(by)) {
                        throw Integers.outOfRange(Typing.INTERVAL, at);
                    }
                    if (divides && by.signum() == 0) {
                        throw at.error(Kind.DIVISION_BY_ZERO, "Division by zero");
                    }
                    return scaled(Intervals.span((byte[]) values[0]), by, divides);
                },
                place);
    }

    /// Scales a span. The remainder of months becomes days and time, and the remainder of days time: exactly, since a
    /// third of a month is 10 days. As in PostgreSQL, each part is cut towards zero by itself, and both remainders
    /// together may be a day.
    private static byte[] scaled(Intervals.Span span, BigDecimal by, boolean divides) {
        BigDecimal over = divides ? by : BigDecimal.ONE;
        BigDecimal times = divides ? BigDecimal.ONE : by;
        BigDecimal[] months =
                BigDecimal.valueOf(span.months()).multiply(times).divideAndRemainder(over);
        BigDecimal[] ofMonths = months[1].multiply(MONTH_DAYS).divideAndRemainder(over);
        BigDecimal[] days =
                BigDecimal.valueOf(span.days()).multiply(times).divideAndRemainder(over);
        BigDecimal left =
                days[1].add(ofMonths[1]).multiply(DAY_MICROS).divide(over, 0, RoundingMode.HALF_UP);
        BigDecimal[] more = left.divideAndRemainder(DAY_MICROS);
        BigDecimal micros =
                BigDecimal.valueOf(span.micros())
                        .multiply(times)
                        .divide(over, 0, RoundingMode.HALF_UP)
                        .add(more[1]);
        return Intervals.bytes(
                new Intervals.Span(
                        months[0].longValueExact(),
                        days[0].add(ofMonths[0]).add(more[0]).longValueExact(),
                        micros.longValueExact()));
    }

    /// `span` divided by `count`, which is not 0.
    public static byte[] divided(Intervals.Span span, long count) {
        return scaled(span, BigDecimal.valueOf(count), true);
    }

    /// The days and the time between two timestamps.
    public static Scalar between(Scalar later, Scalar earlier, Place place) {
        return strict(
                List.of(later, earlier, form("-")),
                Typing.INTERVAL,
                (values, at) -> {
                    if (NonFinite.isMoment((Long) values[0])
                            || NonFinite.isMoment((Long) values[1])) {
                        throw at.error(
                                Kind.DATETIME_RANGE,
                                "There is no INTERVAL between infinite timestamps; test with"
                                        + " ISFINITE first");
                    }
                    long micros = Math.subtractExact((Long) values[0], (Long) values[1]);
                    return Intervals.bytes(
                            new Intervals.Span(
                                    0,
                                    micros / Temporals.MICROS_PER_DAY,
                                    micros % Temporals.MICROS_PER_DAY));
                },
                place);
    }

    public static Scalar negated(Scalar span, Place place) {
        return strict(
                List.of(span),
                Typing.INTERVAL,
                (values, at) -> Intervals.bytes(Intervals.span((byte[]) values[0]).negated()),
                place);
    }

    /// A constant argument that selects a form of INTERVAL_ARITHMETIC, to distinguish calls with the same other
    /// arguments.
    private static Scalar form(String symbol) {
        return Scalar.Constant.of(Typing.TEXT, symbol);
    }

    private static Scalar strict(
            List<Scalar> arguments, Type type, StrictCall.Body body, Place place) {
        return StrictCall.of(
                Function.INTERVAL_ARITHMETIC,
                arguments,
                type,
                (values, at) -> {
                    try {
                        return body.of(values, at);
                    } catch (ArithmeticException | DateTimeException beyond) {
                        throw Integers.outOfRange(type, at);
                    }
                },
                place);
    }
}
