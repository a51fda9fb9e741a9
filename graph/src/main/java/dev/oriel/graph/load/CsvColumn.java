package dev.oriel.graph.load;

import dev.oriel.graph.value.DataType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Date;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A column of a CSV file, as its header declares it.
///
/// @param name the name of the property; empty if the column is none
/// @param type the type of the property's values; null if the file does not give one
/// @param several whether a field holds several values, separated by semicolons
record CsvColumn(Role role, String name, @Nullable DataType type, boolean several) {
    /// Meaning of the column.
    enum Role {
        ID,
        LABEL,
        SOURCE,
        TARGET,
        PROPERTY
    }

    /// The property column with this title: `name`, `name:type` or `name:type[]`; `(single)` and `(set)` of other
    /// programs are accepted.
    ///
    /// @throws IllegalArgumentException if there is no such type
    static CsvColumn property(String title) {
        int colon = title.lastIndexOf(':');
        if (colon <= 0) {
            return new CsvColumn(Role.PROPERTY, title, null, false);
        }
        String word = title.substring(colon + 1).strip();
        boolean several = word.endsWith("[]") || word.endsWith("(set)");
        String base = word.replaceFirst("(\\[\\]|\\((single|set)\\))$", "");
        return new CsvColumn(
                Role.PROPERTY, title.substring(0, colon).strip(), type(title, base), several);
    }

    /// The type that files call `word`.
    ///
    /// @param title the title of the column, for the error
    /// @throws IllegalArgumentException if there is none
    static DataType type(String title, String word) {
        try {
            return DataType.ofWord(word.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The column %s: %s".formatted(title, e.getMessage()), e);
        }
    }

    CsvColumn withType(DataType wanted) {
        return new CsvColumn(role, name, wanted, several);
    }

    /// Parses a value of `type`.
    ///
    /// @throws RejectedRow if `text` is not one
    static Object value(String name, DataType type, String text) throws RejectedRow {
        Object value;
        try {
            value =
                    switch (type) {
                        case TEXT, OBJECT -> text;
                        case BYTE, SHORT, INT, LONG -> type.convert(Long.parseLong(text.strip()));
                        case FLOAT -> Float.parseFloat(text);
                        case DOUBLE -> Double.parseDouble(text);
                        case BOOLEAN -> truth(text.strip());
                        case BLOB -> Base64.getDecoder().decode(text);
                        case DATE -> type.convert(moment(text.strip()));
                        case UUID -> text.length() == 36 ? UUID.fromString(text) : null;
                    };
        } catch (IllegalArgumentException | DateTimeParseException e) {
            value = null; // reported below, with the file's text
        }
        if (value == null) {
            throw new RejectedRow(
                    "%s takes %s, not %s"
                            .formatted(
                                    name, type.name().toLowerCase(Locale.ROOT), shortened(text)));
        }
        return value;
    }

    private static @Nullable Boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> null;
        };
    }

    /// Parses a date, or a date and time, with an offset or in UTC.
    @SuppressWarnings("JavaUtilDate") // the date type of Gremlin
    private static Date moment(String text) {
        Instant instant;
        if (text.length() <= 10) {
            instant = LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } else {
            String iso = text.replace(' ', 'T');
            boolean offset =
                    iso.endsWith("Z") || iso.lastIndexOf('+') > 10 || iso.lastIndexOf('-') > 10;
            instant =
                    offset
                            ? OffsetDateTime.parse(iso).toInstant()
                            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
        }
        return Date.from(instant);
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }
}
