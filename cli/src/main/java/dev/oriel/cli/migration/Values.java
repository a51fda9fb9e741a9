package dev.oriel.cli.migration;

import dev.oriel.cli.migration.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Values in transit from one product to another: one Java class for each kind, whichever product they come from.
final class Values {
    private static final int NANOS_A_MICRO = 1_000;

    private Values() {}

    /// @param texts whether the product keeps dates and times as text (SQLite)
    /// @param old whether its driver supports only the classes of `java.sql` (Derby)
    static @Nullable Object read(ResultSet row, int i, ColumnType type, boolean texts, boolean old)
            throws SQLException {
        Object value =
                switch (type.kind()) {
                    case INTEGER -> row.getLong(i);
                    case DECIMAL -> row.getBigDecimal(i);
                    case REAL -> row.getFloat(i);
                    case DOUBLE -> row.getDouble(i);
                    case BOOLEAN -> row.getBoolean(i);
                    case BYTES -> row.getBytes(i);
                    case DATE -> date(row, i, texts, old);
                    case TIME -> old ? time(row.getString(i)) : row.getObject(i, LocalTime.class);
                    case TIMESTAMP -> timestamp(row, i, texts, old);
                    case MOMENT -> moment(row.getObject(i, OffsetDateTime.class));
                    case UUID -> row.getObject(i, UUID.class);
                    case TEXT -> texts ? utf8(row, i) : row.getString(i);
                    case LITERAL -> literal(row.getString(i), type);
                    case ARRAY -> elements(row.getArray(i), type);
                };
        return row.wasNull() ? null : rounded(value);
    }

    private static @Nullable String literal(@Nullable String text, ColumnType type) {
        return text == null || !type.text().equals("INTERVAL")
                ? text
                : Intervals.read(text, type.source());
    }

    private static @Nullable Object date(ResultSet row, int i, boolean texts, boolean old)
            throws SQLException {
        if (texts) {
            String text = row.getString(i);
            return text == null ? null : LocalDate.parse(text);
        }
        if (old) {
            String text = row.getString(i);
            return text == null ? null : LocalDate.parse(text);
        }
        return row.getObject(i, LocalDate.class);
    }

    private static @Nullable Object timestamp(ResultSet row, int i, boolean texts, boolean old)
            throws SQLException {
        if (old) {
            // one without Julian days
            GregorianCalendar utc = GregorianCalendar.from(Instant.EPOCH.atZone(ZoneOffset.UTC));
            Timestamp moment = row.getTimestamp(i, utc); // a local one lacks an hour in spring
            return moment == null
                    ? null
                    : LocalDateTime.ofInstant(moment.toInstant(), ZoneOffset.UTC);
        }
        if (texts) {
            String text = row.getString(i);
            return text == null ? null : LocalDateTime.parse(text.trim().replace(' ', 'T'));
        }
        return row.getObject(i, LocalDateTime.class);
    }

    private static @Nullable LocalTime time(@Nullable String text) {
        return text == null ? null : LocalTime.parse(text);
    }

    /// Returns a text of SQLite, which does not validate its bytes.
    ///
    /// @throws SQLException if they are not UTF-8
    private static @Nullable String utf8(ResultSet row, int i) throws SQLException {
        String text = row.getString(i);
        if (text == null || text.indexOf('\uFFFD') < 0) {
            return text;
        }
        byte[] bytes = row.getBytes(i);
        boolean same =
                Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))
                        || Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_16LE))
                        || Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_16BE));
        if (!same) {
            throw new SQLDataException("its bytes are not UTF-8");
        }
        return text;
    }

    private static @Nullable Instant moment(@Nullable OffsetDateTime moment) {
        if (moment == null || moment.equals(OffsetDateTime.MAX)) {
            return moment == null ? null : Instant.MAX; // infinite
        }
        return moment.equals(OffsetDateTime.MIN) ? Instant.MIN : moment.toInstant();
    }

    private static @Nullable Object elements(@Nullable Array array, ColumnType type)
            throws SQLException {
        if (array == null) {
            return null;
        }
        if (type.text().equals("TIMESTAMP[]") && array.getBaseTypeName().equals("timestamp")) {
            List<Object> elements = new ArrayList<>();
            try (ResultSet rows = array.getResultSet()) { // Timestamp lacks an hour in spring
                while (rows.next()) {
                    elements.add(rounded(rows.getObject(2, LocalDateTime.class)));
                }
            }
            return elements;
        }
        return Arrays.stream((Object[]) array.getArray()).map(Values::element).toList();
    }

    /// Returns an element in the class of its kind, whichever class the driver gives.
    private static @Nullable Object element(@Nullable Object element) {
        return switch (element) {
            case Date date -> date.toLocalDate();
            case Timestamp moment -> rounded(moment.toLocalDateTime());
            case null, default -> rounded(element);
        };
    }

    /// Rounds to microseconds, half up, as the database does.
    private static @Nullable Object rounded(@Nullable Object value) {
        return switch (value) {
            case LocalTime time when time.plusNanos(up(time)).isBefore(time) ->
                    throw new DateTimeException("a TIME ends before 24:00 in Oriel");
            case LocalTime time -> time.plusNanos(up(time)).truncatedTo(ChronoUnit.MICROS);
            case LocalDateTime time
                    when time.equals(LocalDateTime.MAX) || time.equals(LocalDateTime.MIN) ->
                    time; // infinite
            case LocalDateTime time -> time.plusNanos(up(time)).truncatedTo(ChronoUnit.MICROS);
            case Instant time when time.equals(Instant.MAX) || time.equals(Instant.MIN) -> time;
            case Instant time -> time.plusNanos(up(time)).truncatedTo(ChronoUnit.MICROS);
            case null, default -> value;
        };
    }

    private static long up(TemporalAccessor time) {
        int rest = time.get(ChronoField.NANO_OF_SECOND) % NANOS_A_MICRO;
        return rest >= NANOS_A_MICRO / 2 ? NANOS_A_MICRO - rest : 0;
    }

    static void write(PreparedStatement statement, int i, @Nullable Object value, ColumnType type)
            throws SQLException {
        switch (value) {
            case null -> statement.setNull(i, Types.NULL);
            case Instant moment when moment.equals(Instant.MAX) || moment.equals(Instant.MIN) ->
                    statement.setObject(i, moment);
            case Instant moment -> statement.setObject(i, moment.atOffset(ZoneOffset.UTC));
            case List<?> elements ->
                    statement.setArray(
                            i,
                            statement
                                    .getConnection()
                                    .createArrayOf(
                                            type.text().substring(0, type.text().length() - 2),
                                            elements.toArray()));
            default -> statement.setObject(i, value);
        }
    }

    /// Returns a hash that is equal for values that are equal after the copy. Decimals hash by value, literals
    /// only by presence.
    static long hash(@Nullable Object value, ColumnType type) {
        return switch (value) {
            case null -> 0;
            case BigDecimal number -> decimal(number, type).hashCode();
            case byte[] bytes -> Arrays.hashCode(bytes);
            case Object _ when type.kind() == Kind.LITERAL -> 1;
            case List<?> elements -> elements.stream().map(Values::comparable).toList().hashCode();
            default -> value.hashCode();
        };
    }

    private static String comparable(@Nullable Object element) {
        return element instanceof BigDecimal number
                ? number.stripTrailingZeros().toPlainString()
                : String.valueOf(element);
    }

    /// Returns the number as the column keeps it.
    private static BigDecimal decimal(BigDecimal number, ColumnType type) {
        int comma = type.text().indexOf(',');
        if (comma < 0) {
            return number.stripTrailingZeros();
        }
        int scale = Integer.parseInt(type.text().substring(comma + 2, type.text().length() - 1));
        return number.setScale(scale, RoundingMode.HALF_UP).stripTrailingZeros();
    }
}
