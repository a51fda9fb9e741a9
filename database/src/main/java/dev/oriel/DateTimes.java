package dev.oriel;

import dev.oriel.sql.Session;
import dev.oriel.sql.engine.MomentLiteral;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.StoredValues;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/// Dates and times between the engine's longs, `java.time`, and text in PostgreSQL's form.
final class DateTimes {
    private static final long MICROS_PER_SECOND = 1_000_000;
    static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private DateTimes() {}

    /// Micros since 1970, nanoseconds rounded.
    static long micros(OffsetDateTime value) throws SQLException {
        try {
            return StoredValues.micros(value);
        } catch (ArithmeticException tooFar) {
            throw beyond(value, "TIMESTAMP", tooFar);
        }
    }

    /// Micros since 1970, nanoseconds rounded.
    static long micros(LocalDateTime value) throws SQLException {
        try {
            return StoredValues.micros(value);
        } catch (ArithmeticException tooFar) {
            throw beyond(value, "TIMESTAMP", tooFar);
        }
    }

    /// Days since 1970.
    static long days(LocalDate value) throws SQLException {
        try {
            return StoredValues.days(value);
        } catch (ArithmeticException tooFar) {
            throw beyond(value, "DATE", tooFar);
        }
    }

    private static SQLException beyond(Object value, String type, ArithmeticException cause) {
        return SqlStates.exception(
                SqlStates.DATETIME_RANGE, value + " is out of range for " + type, cause);
    }

    static LocalDate parseDate(String text) throws SQLException {
        return StoredValues.date(parse(text, Type.Name.DATE));
    }

    static LocalTime parseTime(String text) throws SQLException {
        return StoredValues.time(parse(text, Type.Name.TIME));
    }

    /// Without an offset in the text it is in the zone of `session`, or in UTC if that is null.
    static OffsetTime parseTimeWithZone(String text, @Nullable Session session)
            throws SQLException {
        return StoredValues.zonedTime(parse(text, Type.Name.TIME_TZ, session));
    }

    /// A date alone is its midnight; an offset in the text is ignored, as in PostgreSQL.
    static LocalDateTime parseTimestamp(String text) throws SQLException {
        return StoredValues.timestamp(parse(text, Type.Name.TIMESTAMP));
    }

    /// Without an offset in the text it is in the zone of `session`, or in UTC if that is null.
    static OffsetDateTime parseTimestampWithZone(String text, @Nullable Session session)
            throws SQLException {
        long utc = parse(text, Type.Name.TIMESTAMP_TZ, session);
        if (NonFinite.isMoment(utc)) {
            return StoredValues.moment(utc);
        }
        long local = parse(text, Type.Name.TIMESTAMP);
        int offsetSeconds = (int) ((local - utc) / MICROS_PER_SECOND);
        return StoredValues.timestamp(local).atOffset(ZoneOffset.ofTotalSeconds(offsetSeconds));
    }

    private static long parse(String text, Type.Name type) throws SQLException {
        return parse(text, type, null);
    }

    /// Parses the text of a literal.
    private static long parse(String text, Type.Name type, @Nullable Session session)
            throws SQLException {
        try {
            return MomentLiteral.parse(text, Type.of(type), session);
        } catch (DateTimeException e) {
            throw invalid(text, Type.of(type), e);
        }
    }

    private static SQLException invalid(String text, Type type, DateTimeException cause) {
        // A well-formed text of a day or a time that does not exist has a cause.
        boolean none = cause.getCause() != null;
        return SqlStates.exception(
                none ? SqlStates.DATETIME_RANGE : SqlStates.INVALID_DATETIME,
                "'" + text + "' is not a " + type,
                cause);
    }

    static String dateText(long days) {
        return NonFinite.isDay(days)
                ? infinity(days)
                : appendDate(new StringBuilder(10), days).toString();
    }

    static String timeWithZoneText(long value) {
        return MomentLiteral.text(value, ValueType.TIME_TZ, null);
    }

    static String timeText(long micros) {
        return appendTime(new StringBuilder(15), micros).toString();
    }

    static String timestampText(long micros) {
        return NonFinite.isMoment(micros)
                ? infinity(micros)
                : appendTimestamp(new StringBuilder(26), micros).toString();
    }

    /// In UTC, as all of them are kept.
    static String timestampWithZoneText(long micros) {
        return NonFinite.isMoment(micros)
                ? infinity(micros)
                : appendTimestamp(new StringBuilder(29), micros).append("+00").toString();
    }

    private static String infinity(long value) {
        return value > 0 ? "infinity" : "-infinity";
    }

    private static StringBuilder appendTimestamp(StringBuilder out, long micros) {
        appendDate(out, Math.floorDiv(micros, MICROS_PER_DAY)).append(' ');
        return appendTime(out, Math.floorMod(micros, MICROS_PER_DAY));
    }

    private static StringBuilder appendDate(StringBuilder out, long days) {
        LocalDate date = LocalDate.ofEpochDay(days);
        if (date.getYear() < 0) {
            out.append('-');
        }
        appendPadded(out, Math.abs(date.getYear()), 4).append('-');
        appendPadded(out, date.getMonthValue(), 2).append('-');
        return appendPadded(out, date.getDayOfMonth(), 2);
    }

    private static StringBuilder appendTime(StringBuilder out, long micros) {
        long seconds = micros / MICROS_PER_SECOND;
        appendPadded(out, (int) (seconds / 3600), 2).append(':');
        appendPadded(out, (int) (seconds / 60 % 60), 2).append(':');
        appendPadded(out, (int) (seconds % 60), 2);
        int fraction = (int) (micros % MICROS_PER_SECOND);
        if (fraction != 0) {
            appendPadded(out.append('.'), fraction, 6);
            while (out.charAt(out.length() - 1) == '0') {
                out.setLength(out.length() - 1);
            }
        }
        return out;
    }

    private static StringBuilder appendPadded(StringBuilder out, int value, int digits) {
        String text = Integer.toString(value);
        return out.repeat('0', Math.max(0, digits - text.length())).append(text);
    }
}
