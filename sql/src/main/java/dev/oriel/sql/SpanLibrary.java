package dev.oriel.sql;

import dev.oriel.sql.Expression.Operator;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.SqlText.Place;
import dev.oriel.table.IntervalValue;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/// Arithmetic of values of the type INTERVAL.
final class SpanLibrary {
    /// The length of an INTERVAL type that holds years and months only, and of one for all below.
    static final int YEAR_MONTH = 1;

    static final int DAY_TIME = 2;

    private static final BigDecimal MONTH_DAYS = BigDecimal.valueOf(30);
    private static final BigDecimal DAY_MICROS = BigDecimal.valueOf(Temporals.MICROS_PER_DAY);

    private SpanLibrary() {}

    static Intervals.Span span(byte[] bytes) {
        IntervalValue value = IntervalValue.of(bytes);
        return new Intervals.Span(value.months(), value.days(), value.micros());
    }

    /// @throws ArithmeticException if it is too long
    static byte[] bytes(Intervals.Span span) {
        return new IntervalValue(
                        Math.toIntExact(span.months()), Math.toIntExact(span.days()), span.micros())
                .toBytes();
    }

    /// The time of day that is left of a span.
    static long time(byte[] bytes) {
        return Math.floorMod(IntervalValue.of(bytes).micros(), Temporals.MICROS_PER_DAY);
    }

    /// The span that `text` writes.
    ///
    /// @throws IllegalArgumentException if it is none
    /// @throws ArithmeticException if it is too long
    static byte[] parse(String text) {
        return bytes(Intervals.parse(text, ""));
    }

    /// `bytes` with the fields that `type` holds.
    static byte[] fit(byte[] bytes, Type type) {
        if (type.length() == 0) {
            return bytes;
        }
        IntervalValue value = IntervalValue.of(bytes);
        return type.length() == YEAR_MONTH
                ? new IntervalValue(value.months(), 0, 0).toBytes()
                : new IntervalValue(0, value.days(), value.micros()).toBytes();
    }

    /// Binds an operator of which a side is an INTERVAL.
    static Scalar arithmetic(Operator operator, Scalar left, Scalar right, Place place) {
        boolean span = isSpan(left);
        boolean spanRight = isSpan(right);
        boolean sum = operator == Operator.ADD || operator == Operator.SUBTRACT;
        if (span && spanRight && sum) {
            return strict(
                    List.of(left, right),
                    Typing.INTERVAL,
                    (values, at) -> {
                        Intervals.Span other = span((byte[]) values[1]);
                        return bytes(
                                span((byte[]) values[0])
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
                Kind.TYPE_MISMATCH,
                "\""
                        + operator.symbol()
                        + "\" does not go with "
                        + left.type()
                        + " and "
                        + right.type());
    }

    static boolean isSpan(Scalar scalar) {
        return scalar.type().name() == Type.Name.INTERVAL;
    }

    private static boolean isMoment(Scalar scalar) {
        Typing.Family family = Typing.family(scalar.type());
        return family == Typing.Family.DATE || family == Typing.Family.TIME;
    }

    /// A date or time and a span later. As in PostgreSQL a DATE becomes a TIMESTAMP.
    private static Scalar moved(Scalar moment, Scalar span, boolean back, Place place) {
        Type of = moment.type();
        Type type = of.name() == Type.Name.DATE ? Type.of(Type.Name.TIMESTAMP) : Typing.plain(of);
        Scalar from =
                of.name() == Type.Name.DATE ? new Conversion(moment, type, false, place) : moment;
        return strict(
                List.of(from, span),
                type,
                (values, at) -> {
                    Intervals.Span by = span((byte[]) values[1]);
                    long later = Intervals.later((Long) values[0], back ? by.negated() : by);
                    return type.name() == Type.Name.TIME
                            ? Math.floorMod(later, Temporals.MICROS_PER_DAY)
                            : later;
                },
                place);
    }

    private static Scalar scaled(Scalar span, Scalar factor, boolean divides, Place place) {
        Scalar number =
                factor.type().name() == Type.Name.DECIMAL
                        ? factor
                        : new Conversion(factor, Typing.DECIMAL, false, place);
        return strict(
                List.of(span, number),
                Typing.INTERVAL,
                (values, at) -> {
                    BigDecimal by = (BigDecimal) values[1];
                    if (divides && by.signum() == 0) {
                        throw at.error(Kind.DIVISION_BY_ZERO, "Division by zero");
                    }
                    return scaled(span((byte[]) values[0]), by, divides);
                },
                place);
    }

    /// What is left of a month becomes days, and what is left of a day time.
    private static byte[] scaled(Intervals.Span span, BigDecimal by, boolean divides) {
        BigDecimal months = each(span.months(), by, divides);
        BigDecimal wholeMonths = months.setScale(0, RoundingMode.DOWN);
        BigDecimal days =
                each(span.days(), by, divides)
                        .add(months.subtract(wholeMonths).multiply(MONTH_DAYS));
        BigDecimal wholeDays = days.setScale(0, RoundingMode.DOWN);
        BigDecimal micros =
                each(span.micros(), by, divides).add(days.subtract(wholeDays).multiply(DAY_MICROS));
        return bytes(
                new Intervals.Span(
                        wholeMonths.longValueExact(),
                        wholeDays.longValueExact(),
                        micros.setScale(0, RoundingMode.HALF_UP).longValueExact()));
    }

    private static BigDecimal each(long part, BigDecimal by, boolean divides) {
        BigDecimal value = BigDecimal.valueOf(part);
        return divides ? Decimals.divide(value, by) : value.multiply(by);
    }

    /// The days and the time between two timestamps.
    static Scalar between(Scalar later, Scalar earlier, Place place) {
        return strict(
                List.of(later, earlier),
                Typing.INTERVAL,
                (values, at) -> {
                    long micros = Math.subtractExact((Long) values[0], (Long) values[1]);
                    return bytes(
                            new Intervals.Span(
                                    0,
                                    micros / Temporals.MICROS_PER_DAY,
                                    micros % Temporals.MICROS_PER_DAY));
                },
                place);
    }

    static Scalar negated(Scalar span, Place place) {
        return strict(
                List.of(span),
                Typing.INTERVAL,
                (values, at) -> bytes(span((byte[]) values[0]).negated()),
                place);
    }

    private static Scalar strict(
            List<Scalar> arguments, Type type, LibraryBinder.Body body, Place place) {
        return LibraryBinder.strict(
                Function.INTERVAL_ARITHMETIC,
                arguments,
                type,
                (values, at) -> {
                    try {
                        return body.of(values, at);
                    } catch (ArithmeticException beyond) {
                        throw Integers.outOfRange(type, at);
                    }
                },
                place);
    }

    /// EXTRACT of an interval.
    static BigDecimal extracted(String field, byte[] bytes, Place place) {
        IntervalValue value = IntervalValue.of(bytes);
        long micros = value.micros();
        long minute = 60_000_000L;
        return switch (field) {
            case "MILLENNIUM" -> BigDecimal.valueOf(value.months() / 12_000);
            case "CENTURY" -> BigDecimal.valueOf(value.months() / 1_200);
            case "DECADE" -> BigDecimal.valueOf(value.months() / 120);
            case "YEAR", "YEARS" -> BigDecimal.valueOf(value.months() / 12);
            case "QUARTER" -> BigDecimal.valueOf(value.months() % 12 / 3 + 1);
            case "MONTH", "MONTHS" -> BigDecimal.valueOf(value.months() % 12);
            case "DAY", "DAYS" -> BigDecimal.valueOf(value.days());
            case "HOUR", "HOURS" -> BigDecimal.valueOf(micros / (60 * minute));
            case "MINUTE", "MINUTES" -> BigDecimal.valueOf(micros / minute % 60);
            case "SECOND", "SECONDS" -> BigDecimal.valueOf(micros % minute, 6);
            case "MILLISECONDS", "MILLISECOND" -> BigDecimal.valueOf(micros % minute, 3);
            case "MICROSECONDS", "MICROSECOND" -> BigDecimal.valueOf(micros % minute);
            case "EPOCH" ->
                    // As PostgreSQL counts: a year has 365.25 days, a month that is left 30.
                    BigDecimal.valueOf(value.months() / 12)
                            .multiply(new BigDecimal("31557600"))
                            .add(BigDecimal.valueOf(value.months() % 12 * 2_592_000L))
                            .add(BigDecimal.valueOf(value.days() * 86_400L))
                            .add(BigDecimal.valueOf(micros, 6));
            default ->
                    throw place.error(
                            Kind.INVALID_VALUE, "An interval has no field \"" + field + "\"");
        };
    }
}
