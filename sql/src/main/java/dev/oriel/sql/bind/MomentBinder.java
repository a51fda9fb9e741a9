package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.JavaPatterns;
import dev.oriel.sql.plan.MomentLibrary;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.plan.TimeZones;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds functions that construct moments from numbers, bins and time zones, and functions of the time between two.
final class MomentBinder {
    private static final Type TIMESTAMP = Type.of(Type.Name.TIMESTAMP);
    private static final Type TIME_TZ = Type.of(Type.Name.TIME_TZ);
    private static final Type TIMESTAMP_TZ = Type.of(Type.Name.TIMESTAMP_TZ);

    private final ScalarBinder scalars;

    MomentBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        return switch (function) {
            case TIMEZONE -> inZone(given.get(0), given.get(1), place);
            case AGE -> age(given, place);
            case OVERLAPS -> overlap(given, place);
            case DATE_BIN -> bin(given, place);
            case MAKE_TIME ->
                    StrictCall.of(
                            function,
                            numbers(given, function),
                            Type.of(Type.Name.TIME),
                            (values, at) -> MomentLibrary.time(values, 0, false, at),
                            place);
            case MAKE_TIMESTAMPTZ -> inZone(given, place);
            case MAKE_INTERVAL -> span(given, place);
            case JUSTIFY_DAYS, JUSTIFY_HOURS, JUSTIFY_INTERVAL ->
                    StrictCall.of(
                            function,
                            List.of(interval(given.getFirst(), function)),
                            Typing.INTERVAL,
                            (values, at) ->
                                    MomentLibrary.justified(
                                            function, Intervals.span((byte[]) values[0])),
                            place);
            case ISFINITE -> {
                Scalar value = scalars.bind(given.getFirst(), OpenType.of(TIMESTAMP));
                if (!SpanLibrary.isSpan(value)) {
                    value = moment(given.getFirst(), TIMESTAMP, "ISFINITE");
                }
                Type.Name of = value.type().name();
                yield StrictCall.of(
                        function,
                        List.of(value),
                        Typing.BOOLEAN,
                        (values, at) ->
                                values[0] instanceof Long moment && NonFinite.is(moment, of)
                                        ? 0L
                                        : 1L,
                        place);
            }
            case FORMATDATETIME -> formatted(given, place);
            case PARSEDATETIME ->
                    StrictCall.inZone(
                            function,
                            texts(given, 0, function),
                            TIMESTAMP_TZ,
                            JavaPatterns::parsed,
                            place);
            case ADD_MONTHS -> laterByMonths(given, place);
            case MAKE_TIMESTAMP ->
                    StrictCall.of(
                            function,
                            numbers(given, function),
                            TIMESTAMP,
                            MomentLibrary::timestamp,
                            place);
            default -> throw new IllegalStateException(function + " makes no moments");
        };
    }

    /// FORMATDATETIME.
    private Scalar formatted(List<Expression> given, Place place) {
        Scalar value = scalars.bind(given.getFirst(), OpenType.of(TIMESTAMP));
        Typing.Family family = Typing.family(value.type());
        boolean time = family == Typing.Family.TIME || family == Typing.Family.TIME_TZ;
        if (family != Typing.Family.DATE && !time) {
            throw wrong(given.getFirst(), "FORMATDATETIME needs a date or a time", value);
        }
        Type.Name of = value.type().name();
        List<Scalar> arguments = new ArrayList<>(List.of(value));
        arguments.addAll(texts(given, 1, Function.FORMATDATETIME));
        return of == Type.Name.TIMESTAMP_TZ
                ? StrictCall.inZone(
                        Function.FORMATDATETIME,
                        List.copyOf(arguments),
                        Typing.TEXT,
                        (values, here, at) -> JavaPatterns.written(values, of, here, at),
                        place)
                : StrictCall.of(
                        Function.FORMATDATETIME,
                        List.copyOf(arguments),
                        Typing.TEXT,
                        (values, at) -> JavaPatterns.written(values, of, Zone.UTC, at),
                        place);
    }

    private List<Scalar> texts(List<Expression> given, int from, Function function) {
        List<Scalar> texts = new ArrayList<>();
        for (Expression argument : given.subList(from, given.size())) {
            texts.add(scalars.text(argument, function.name()));
        }
        return List.copyOf(texts);
    }

    /// ADD_MONTHS.
    private Scalar laterByMonths(List<Expression> given, Place place) {
        Scalar value = moment(given.getFirst(), TIMESTAMP, "ADD_MONTHS");
        Type type = Typing.plain(value.type());
        Scalar months = scalars.bind(given.get(1), Typing.INTEGER);
        if (!Typing.isInteger(months.type())) {
            throw wrong(given.get(1), "ADD_MONTHS needs an integer", months);
        }
        List<Scalar> arguments = List.of(value, months);
        return type.name() == Type.Name.TIMESTAMP_TZ
                ? StrictCall.inZone(
                        Function.ADD_MONTHS,
                        arguments,
                        type,
                        (values, here, at) -> MomentLibrary.laterByMonths(values, type, here, at),
                        place)
                : StrictCall.of(
                        Function.ADD_MONTHS,
                        arguments,
                        type,
                        (values, at) -> MomentLibrary.laterByMonths(values, type, null, at),
                        place);
    }

    /// MAKE_TIMESTAMPTZ: a moment from numbers, in the zone of the session or the one that follows them.
    private Scalar inZone(List<Expression> given, Place place) {
        List<Scalar> arguments =
                new ArrayList<>(numbers(given.subList(0, 6), Function.MAKE_TIMESTAMPTZ));
        if (given.size() == 6) {
            Scalar local =
                    StrictCall.of(
                            Function.MAKE_TIMESTAMP,
                            List.copyOf(arguments),
                            TIMESTAMP,
                            MomentLibrary::timestamp,
                            place);
            return new Conversion(local, TIMESTAMP_TZ, false, place);
        }
        arguments.add(scalars.text(given.get(6), "MAKE_TIMESTAMPTZ"));
        return StrictCall.of(
                Function.MAKE_TIMESTAMPTZ,
                List.copyOf(arguments),
                TIMESTAMP_TZ,
                (values, at) -> {
                    Long local = MomentLibrary.timestamp(values, at);
                    return TimeZones.moment(east((String) values[6], at), local, at);
                },
                place);
    }

    /// A zone given as an offset counts eastward here, and westward elsewhere.
    private static Object east(String zone, Place place) {
        String name = zone.strip();
        if (name.startsWith("+") || name.startsWith("-")) {
            return (name.startsWith("+") ? "-" : "+") + name.substring(1);
        }
        if (!name.isEmpty() && Character.isDigit(name.charAt(0))) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "'" + zone + "' is not a time zone: an offset begins with \"+\" or \"-\"");
        }
        return name;
    }

    /// MAKE_INTERVAL: years, months, weeks, days, hours, minutes and seconds.
    private Scalar span(List<Expression> given, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Expression argument = given.get(i);
            Scalar bound = scalars.bind(argument, i == 6 ? Typing.DOUBLE : Typing.INTEGER);
            if (i == 6 ? !Typing.isNumber(bound.type()) : !Typing.isInteger(bound.type())) {
                throw wrong(
                        argument,
                        "MAKE_INTERVAL needs integers, and a number of seconds as"
                                + " the last argument",
                        bound);
            }
            arguments.add(
                    i == 6 ? scalars.converted(bound, Typing.DOUBLE, argument.position()) : bound);
        }
        return StrictCall.of(
                Function.MAKE_INTERVAL,
                List.copyOf(arguments),
                Typing.INTERVAL,
                MomentLibrary::span,
                place);
    }

    private Scalar interval(Expression expression, Function function) {
        Scalar bound = scalars.bind(expression, Typing.INTERVAL);
        if (!SpanLibrary.isSpan(bound)) {
            throw wrong(expression, function + " needs an INTERVAL", bound);
        }
        return bound;
    }

    /// Binds integers, with seconds last.
    private List<Scalar> numbers(List<Expression> given, Function function) {
        List<Scalar> numbers = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            boolean seconds = i == given.size() - 1;
            Expression argument = given.get(i);
            Scalar bound = scalars.bind(argument, seconds ? Typing.DOUBLE : Typing.INTEGER);
            boolean fits = seconds ? Typing.isNumber(bound.type()) : Typing.isInteger(bound.type());
            if (!fits) {
                throw wrong(argument, function + " needs integers, and a number of seconds", bound);
            }
            numbers.add(
                    seconds ? scalars.converted(bound, Typing.DOUBLE, argument.position()) : bound);
        }
        return List.copyOf(numbers);
    }

    private SqlException wrong(Expression argument, String message, Scalar bound) {
        return scalars.source()
                .error(
                        Kind.UNKNOWN_FUNCTION,
                        argument.position(),
                        message + ", not " + bound.type());
    }

    /// `value AT TIME ZONE zone`: converts a moment to a TIMESTAMP, and a TIMESTAMP to a moment. A DATE is the
    /// moment at which it begins in the zone of the session.
    private Scalar inZone(Expression zone, Expression value, Place place) {
        Scalar where = scalars.bind(zone, Typing.TEXT);
        if (!Typing.isText(where.type()) && !SpanLibrary.isSpan(where)) {
            throw wrong(zone, "A time zone must be a name or an INTERVAL", where);
        }
        Scalar bound = scalars.bind(value, OpenType.of(TIMESTAMP_TZ));
        Typing.Family family = Typing.family(bound.type());
        if (family == Typing.Family.TIME || family == Typing.Family.TIME_TZ) {
            return StrictCall.of(
                    Function.TIMEZONE,
                    List.of(
                            where,
                            scalars.converted(bound, TIME_TZ, value.position()),
                            new Scalar.Now()),
                    TIME_TZ,
                    (values, at) ->
                            TimeZones.time(values[0], (Long) values[1], (Long) values[2], at),
                    place);
        }
        Scalar moment = moment(bound, value, "AT TIME ZONE");
        boolean local = moment.type().name() == Type.Name.TIMESTAMP;
        Scalar from = local ? moment : scalars.converted(moment, TIMESTAMP_TZ, value.position());
        Type type = local ? TIMESTAMP_TZ : TIMESTAMP;
        return StrictCall.of(
                Function.TIMEZONE,
                List.of(where, from),
                OpenType.is(moment.type()) ? OpenType.of(type) : type,
                (values, at) ->
                        local
                                ? TimeZones.moment(values[0], (Long) values[1], at)
                                : TimeZones.local(values[0], (Long) values[1], at),
                place);
    }

    private Scalar moment(Expression expression, Type otherwise, String where) {
        return moment(scalars.bind(expression, OpenType.of(otherwise)), expression, where);
    }

    private Scalar moment(Scalar bound, Expression expression, String where) {
        if (Typing.family(bound.type()) != Typing.Family.DATE) {
            throw wrong(expression, where + " needs a date or a timestamp", bound);
        }
        return bound;
    }

    /// With one argument, its distance to the start of today.
    private Scalar age(List<Expression> given, Place place) {
        Scalar first = moment(given.getFirst(), TIMESTAMP, "AGE");
        Scalar later;
        Scalar earlier;
        if (given.size() == 1) {
            Scalar today = new Conversion(new Scalar.Now(), Type.of(Type.Name.DATE), true, place);
            later = new Conversion(today, TIMESTAMP, true, place);
            earlier = scalars.converted(first, TIMESTAMP, place.position());
        } else {
            Scalar second = moment(given.get(1), TIMESTAMP, "AGE");
            later = scalars.converted(first, TIMESTAMP, place.position());
            earlier = scalars.converted(second, TIMESTAMP, place.position());
        }
        return StrictCall.of(
                Function.AGE,
                List.of(later, earlier),
                Typing.INTERVAL,
                (values, at) -> MomentLibrary.age((Long) values[0], (Long) values[1], at),
                place);
    }

    /// OVERLAPS of two periods, each from a moment to another one or an INTERVAL long.
    private Scalar overlap(List<Expression> given, Place place) {
        List<Expression> ends = new ArrayList<>();
        for (int i = 0; i < 4; i += 2) {
            Expression start = given.get(i);
            Expression end = given.get(i + 1);
            boolean untyped = ScalarBinder.untyped(end);
            boolean span =
                    !untyped && SpanLibrary.isSpan(scalars.bind(end, OpenType.of(TIMESTAMP)));
            ends.add(start);
            ends.add(span ? new Expression.Binary(end.position(), Operator.ADD, start, end) : end);
        }
        List<Scalar> bound =
                scalars.unified(ends, "OVERLAPS", place.position(), OpenType.of(TIMESTAMP_TZ));
        Typing.Family family = Typing.family(bound.getFirst().type());
        boolean time = family == Typing.Family.TIME || family == Typing.Family.TIME_TZ;
        if (family != Typing.Family.DATE && !time) {
            throw wrong(given.getFirst(), "OVERLAPS needs dates or times", bound.getFirst());
        }
        return JsonBinder.made(
                Function.OVERLAPS,
                bound,
                Typing.BOOLEAN,
                (values, frame) -> {
                    @Nullable Long[] moments = new Long[4];
                    for (int i = 0; i < 4; i++) {
                        long moment = values.get(i).evalLong(frame);
                        moments[i] = frame.isNull ? null : (Long) moment;
                    }
                    return MomentLibrary.overlap(moments);
                });
    }

    /// Bins of times of day, as in DataFusion; bins before midnight are of the day before.
    private Scalar binOfTime(Scalar stride, Scalar value, Expression origin, Place place) {
        Scalar start = scalars.bind(origin, OpenType.of(value.type()));
        if (start.type().name() != Type.Name.TIME) {
            throw wrong(origin, "The origin of bins of a TIME must be a TIME", start);
        }
        return StrictCall.of(
                Function.DATE_BIN,
                List.of(stride, value, start),
                Typing.plain(value.type()),
                (values, at) ->
                        Math.floorMod(
                                MomentLibrary.bin(
                                        Intervals.span((byte[]) values[0]),
                                        (Long) values[1],
                                        (Long) values[2],
                                        at),
                                Temporals.MICROS_PER_DAY),
                place);
    }

    private Scalar bin(List<Expression> given, Place place) {
        Scalar stride = scalars.bind(given.get(0), Typing.INTERVAL);
        if (!SpanLibrary.isSpan(stride)) {
            throw wrong(
                    given.get(0), "The length of the bins of DATE_BIN must be an INTERVAL", stride);
        }
        Scalar binned = scalars.bind(given.get(1), OpenType.of(TIMESTAMP));
        if (binned.type().name() == Type.Name.TIME) {
            return binOfTime(stride, binned, given.get(2), place);
        }
        Scalar value = moment(binned, given.get(1), "DATE_BIN");
        Type type = value.type().name() == Type.Name.DATE ? TIMESTAMP : Typing.plain(value.type());
        Scalar origin = moment(given.get(2), type, "DATE_BIN");
        return StrictCall.of(
                Function.DATE_BIN,
                List.of(
                        stride,
                        scalars.converted(value, type, given.get(1).position()),
                        scalars.converted(origin, type, given.get(2).position())),
                Typing.plain(type),
                (values, at) ->
                        MomentLibrary.bin(
                                Intervals.span((byte[]) values[0]),
                                (Long) values[1],
                                (Long) values[2],
                                at),
                place);
    }
}
