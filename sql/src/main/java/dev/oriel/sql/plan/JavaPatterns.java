package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.StoredValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// FORMATDATETIME and PARSEDATETIME of H2, with patterns of Java's [DateTimeFormatter]. Arguments: a value, the pattern,
/// and perhaps a language and a time zone. Without a language names are English.
public final class JavaPatterns {
    private static final long SECOND = 1_000_000;

    private JavaPatterns() {}

    /// A value of type `of` in the form of its pattern; NULL for an infinite one.
    ///
    /// @param here zone of the session
    public static @Nullable String written(Object[] values, Type.Name of, Zone here, Place place) {
        long value = (Long) values[0];
        boolean time = of == Type.Name.TIME || of == Type.Name.TIME_TZ;
        if (!time && NonFinite.is(value, of)) {
            return null;
        }
        ZoneId zone = zone(values, place);
        DateTimeFormatter formatter = formatter(values, place);
        try {
            return (zone == null ? formatter : formatter.withZone(zone))
                    .format(temporal(value, of, zone, here));
        } catch (DateTimeException unfit) {
            throw unfit(values, "has no form '" + values[1] + "'", place);
        }
    }

    private static TemporalAccessor temporal(
            long value, Type.Name of, @Nullable ZoneId zone, Zone here) {
        return switch (of) {
            case TIME -> LocalTime.ofNanoOfDay(value * 1_000);
            case TIME_TZ -> StoredValues.zonedTime(value);
            case DATE -> LocalDate.ofEpochDay(value).atStartOfDay();
            case TIMESTAMP_TZ -> instant(value).atZone(zone == null ? offset(value, here) : zone);
            default -> LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC);
        };
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /// The distance from UTC of a moment's local time.
    private static ZoneOffset offset(long moment, Zone here) {
        return ZoneOffset.ofTotalSeconds((int) ((here.local(moment) - moment) / SECOND));
    }

    /// The moment that a text means. Without a date it is on 1 January 1970, without a time at midnight.
    ///
    /// @param here zone of the session
    public static Long parsed(Object[] values, Zone here, Place place) {
        ZoneId zone = zone(values, place);
        DateTimeFormatter formatter = formatter(values, place);
        try {
            TemporalAccessor parsed =
                    (zone == null ? formatter : formatter.withZone(zone)).parse((String) values[0]);
            if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
                return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.from(parsed));
            }
            LocalDate date = parsed.query(TemporalQueries.localDate());
            LocalTime time = parsed.query(TemporalQueries.localTime());
            ZoneId own = parsed.query(TemporalQueries.zone());
            LocalDateTime local =
                    LocalDateTime.of(
                            Objects.requireNonNullElse(date, LocalDate.EPOCH),
                            Objects.requireNonNullElse(time, LocalTime.MIDNIGHT));
            return own == null
                    ? (Long) here.moment(micros(local))
                    : (Long)
                            ChronoUnit.MICROS.between(Instant.EPOCH, local.atZone(own).toInstant());
        } catch (DateTimeException | ArithmeticException unfit) {
            throw unfit(values, "is not of the form '" + values[1] + "'", place);
        }
    }

    private static long micros(LocalDateTime local) {
        return Math.addExact(
                Temporals.startOfDay(local.toLocalDate().toEpochDay()),
                local.toLocalTime().toNanoOfDay() / 1_000);
    }

    private static DateTimeFormatter formatter(Object[] values, Place place) {
        Locale locale =
                values.length > 2
                        ? Locale.forLanguageTag(((String) values[2]).replace('_', '-'))
                        : Locale.ENGLISH;
        try {
            return new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .appendPattern((String) values[1])
                    .toFormatter(locale);
        } catch (IllegalArgumentException malformed) {
            throw place.error(
                    Kind.INVALID_PARAMETER,
                    "'" + values[1] + "' is not a pattern such as 'yyyy-MM-dd HH:mm:ss'");
        }
    }

    private static @Nullable ZoneId zone(Object[] values, Place place) {
        if (values.length < 4) {
            return null;
        }
        try {
            return ZoneId.of((String) values[3]);
        } catch (DateTimeException unknown) {
            throw place.error(Kind.INVALID_PARAMETER, "'" + values[3] + "' is not a time zone");
        }
    }

    private static SqlException unfit(Object[] values, String message, Place place) {
        boolean text = values[0] instanceof String;
        return place.error(
                Kind.INVALID_DATETIME, (text ? "'" + values[0] + "' " : "The value ") + message);
    }
}
