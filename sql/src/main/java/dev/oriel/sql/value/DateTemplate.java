package dev.oriel.sql.value;

import dev.oriel.table.definition.Type;
import java.time.DateTimeException;
import java.util.Locale;

/// Reads a date, a time or a timestamp by a template of the SQL standard, in which separators and quoted letters
/// must match the text exactly. The fields are those of [DatePattern], and decide about the type.
public final class DateTemplate {
    private static final String SEPARATORS = "-./,':; ";

    /// Maximum distance of a date from 1970, in days.
    private static final long DAYS_MAX = Integer.MAX_VALUE;

    private final String text;
    private final String template;
    private final DateParts parts = new DateParts();

    /// Positions in the template and in the text.
    private int at;

    private int from;
    private boolean dated;
    private boolean timed;
    private boolean zoned;

    private DateTemplate(String text, String template) {
        this.text = text;
        this.template = template;
    }

    /// A date, time or timestamp as it was written.
    ///
    /// @param type DATE, TIME, TIME_TZ, TIMESTAMP or TIMESTAMP_TZ
    /// @param day days since 1970; 0 for a time
    /// @param micros microseconds since midnight, on the clock of its zone
    /// @param east seconds east of Greenwich; 0 for a type without a zone
    public record Moment(Type.Name type, long day, long micros, int east) {}

    /// Parses `text` by `template`.
    ///
    /// @throws DateTimeException if there is no such date or time
    /// @throws IllegalArgumentException if the text does not match, or the template is none
    public static Moment read(String text, String template) {
        return new DateTemplate(text, template).read();
    }

    private Moment read() {
        while (at < template.length()) {
            if (from == text.length()) {
                throw new IllegalArgumentException(
                        "'" + text + "' is too short for the template '" + template + "'");
            }
            char c = template.charAt(at);
            String field = c == '"' ? "" : DatePattern.field(template, at);
            if (c == '"') {
                quoted();
            } else if (!field.isEmpty()) {
                read(field);
            } else if (SEPARATORS.indexOf(c) >= 0) {
                match(c);
                at++;
            } else {
                throw new IllegalArgumentException(
                        "\"" + c + "\" is not a separator of a template; quote it");
            }
        }
        if (from < text.length()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is longer than the template '" + template + "'");
        }
        Type.Name type = type();
        long day = dated ? parts.epochDay() : 0;
        if (Math.abs(day) > DAYS_MAX) {
            throw new DateTimeException("beyond the range of dates");
        }
        return new Moment(type, day, parts.timeOfDay(), zoned ? parts.east() : 0);
    }

    private Type.Name type() {
        if (zoned && !timed) {
            throw new IllegalArgumentException("A template with a time zone needs a time");
        }
        if (!dated && !timed) {
            throw new IllegalArgumentException("A template needs a date or a time");
        }
        return dated
                ? zoned ? Type.Name.TIMESTAMP_TZ : timed ? Type.Name.TIMESTAMP : Type.Name.DATE
                : zoned ? Type.Name.TIME_TZ : Type.Name.TIME;
    }

    private void read(String field) {
        at += field.length();
        String upper = field.toUpperCase(Locale.ROOT);
        boolean modifies = upper.equals("FM") || upper.equals("TM");
        boolean ofZone = DatePattern.isZone(upper);
        boolean ofTime = !ofZone && DatePattern.isTime(upper);
        zoned |= ofZone;
        timed |= ofTime;
        dated |= !modifies && !ofZone && !ofTime;
        boolean more = at < template.length() && !DatePattern.field(template, at).isEmpty();
        from = parts.read(field, text, from, more);
    }

    /// Matches the letters up to the closing quote.
    private void quoted() {
        at++;
        while (at < template.length() && template.charAt(at) != '"') {
            if (template.charAt(at) == '\\' && at + 1 < template.length()) {
                at++;
            }
            match(template.charAt(at++));
        }
        at++;
    }

    private void match(char c) {
        if (from == text.length() || text.charAt(from) != c) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no \"" + c + "\" as the template '" + template + "'");
        }
        from++;
    }
}
