package dev.oriel;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.IntervalValue;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;

/// Dates and times as parameters. The old `java.sql` classes are instants that stand for a local date or time in
/// some zone: the JVM's, or the given calendar's. Without a calendar they convert themselves, for they count days
/// before 1582 as Julius Caesar did.
final class JavaTime {
    private JavaTime() {}

    static void set(Parameters parameters, int parameter, Object value) throws SQLException {
        try {
            convert(parameters, parameter, value);
        } catch (DateTimeException tooFar) {
            throw SqlStates.exception(
                    SqlStates.DATETIME_RANGE,
                    "Parameter " + parameter + " is outside the range of its type: " + value,
                    tooFar);
        }
    }

    private static void convert(Parameters parameters, int parameter, Object value)
            throws SQLException {
        ZoneId here = ZoneId.systemDefault();
        switch (value) {
            case LocalDate date -> parameters.setDate(parameter, date);
            case LocalTime time -> parameters.setTime(parameter, time);
            case OffsetTime time -> parameters.setTimeWithZone(parameter, time);
            case LocalDateTime timestamp -> parameters.setTimestamp(parameter, timestamp);
            case OffsetDateTime moment -> parameters.setTimestampWithZone(parameter, moment);
            case ZonedDateTime moment ->
                    parameters.setTimestampWithZone(parameter, moment.toOffsetDateTime());
            case Instant moment -> parameters.setTimestampWithZone(parameter, offset(moment));
            case Period period -> parameters.setInterval(parameter, interval(period));
            case Duration duration -> parameters.setInterval(parameter, interval(duration));
            case Timestamp moment -> setSqlTimestamp(parameters, parameter, moment, here);
            case Date date -> setSqlDate(parameters, parameter, date, here);
            case Time time -> setSqlTime(parameters, parameter, time, here);
            case java.util.Date moment ->
                    setSqlTimestamp(
                            parameters, parameter, Timestamp.from(moment.toInstant()), here);
            case Calendar moment ->
                    setSqlTimestamp(
                            parameters,
                            parameter,
                            Timestamp.from(moment.toInstant()),
                            moment.getTimeZone().toZoneId());
            default -> throw parameters.mismatch(parameter, "a " + value.getClass().getName());
        }
    }

    private static OffsetDateTime offset(Instant moment) {
        return moment.equals(Instant.MAX)
                ? OffsetDateTime.MAX
                : moment.equals(Instant.MIN) ? OffsetDateTime.MIN : moment.atOffset(ZoneOffset.UTC);
    }

    @SuppressWarnings("JavaPeriodGetDays") // months stand beside them
    private static IntervalValue interval(Period period) throws SQLException {
        try {
            return new IntervalValue(Math.toIntExact(period.toTotalMonths()), period.getDays(), 0);
        } catch (ArithmeticException tooLong) {
            throw Values.outOfRange(period, "INTERVAL");
        }
    }

    /// Hours beyond a day stay hours, as in PostgreSQL. Fractions of a microsecond are cut.
    private static IntervalValue interval(Duration duration) throws SQLException {
        try {
            long micros =
                    Math.addExact(
                            Math.multiplyExact(duration.getSeconds(), 1_000_000L),
                            duration.getNano() / 1_000);
            return new IntervalValue(0, 0, micros);
        } catch (ArithmeticException tooLong) {
            throw Values.outOfRange(duration, "INTERVAL");
        }
    }

    static void setSqlTimestamp(Parameters parameters, int parameter, Timestamp value, ZoneId zone)
            throws SQLException {
        Instant instant = value.toInstant();
        if (parameters.type(parameter).name() == Type.Name.TIMESTAMP_TZ) {
            parameters.setTimestampWithZone(parameter, instant.atOffset(ZoneOffset.UTC));
            return;
        }
        LocalDateTime local =
                zone.equals(ZoneId.systemDefault())
                        ? value.toLocalDateTime()
                        : LocalDateTime.ofInstant(instant, zone);
        if (parameters.type(parameter).name() == Type.Name.DATE) {
            parameters.setDate(parameter, local.toLocalDate()); // only its day, as in PostgreSQL
        } else {
            parameters.setTimestamp(parameter, local);
        }
    }

    static void setSqlDate(Parameters parameters, int parameter, Date value, ZoneId zone)
            throws SQLException {
        Instant instant = Instant.ofEpochMilli(value.getTime());
        if (parameters.type(parameter).name() == Type.Name.TIMESTAMP_TZ) {
            parameters.setTimestampWithZone(parameter, instant.atOffset(ZoneOffset.UTC));
        } else {
            parameters.setDate(
                    parameter,
                    zone.equals(ZoneId.systemDefault())
                            ? value.toLocalDate()
                            : LocalDate.ofInstant(instant, zone));
        }
    }

    static void setSqlTime(Parameters parameters, int parameter, Time value, ZoneId zone)
            throws SQLException {
        parameters.setTime(
                parameter, LocalTime.ofInstant(Instant.ofEpochMilli(value.getTime()), zone));
    }
}
