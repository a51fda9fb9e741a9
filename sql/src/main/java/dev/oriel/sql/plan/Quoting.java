package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.SqlText.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Quotes values and names for use in a statement, alone or in a pattern (FORMAT).
public final class Quoting {
    /// Maximum width of a field of FORMAT, in characters.
    private static final int WIDTH_MAX = 1 << 24;

    private final String pattern;
    private final List<@Nullable String> values;
    private final Place place;
    private final StringBuilder out = new StringBuilder();
    private int at;

    /// Number of the last value written, counted from 1.
    private int last;

    private Quoting(String pattern, List<@Nullable String> values, Place place) {
        this.pattern = pattern;
        this.values = values;
        this.place = place;
    }

    /// `text` as a string literal of SQL.
    public static String literal(String text) {
        boolean backslash = text.indexOf('\\') >= 0;
        String quoted = "'" + text.replace("'", "''") + "'";
        return backslash ? "E" + quoted.replace("\\", "\\\\") : quoted;
    }

    /// `name` unchanged if it is a plain identifier, else in double quotes.
    public static String name(String name) {
        boolean plain = !name.isEmpty() && !Keyword.isReserved(name);
        for (int i = 0; i < name.length() && plain; i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || c == '_';
            plain = letter || (i > 0 && c >= '0' && c <= '9');
        }
        return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /// FORMAT: `pattern` with `values` for `%s` (as text), `%L` (a string) and `%I` (a name). Between may be the
    /// number of the value, `1$`, a minus to align it left, and a width, `10` or `*`, which is a value too.
    static String format(String pattern, List<@Nullable String> values, Place place) {
        return new Quoting(pattern, values, place).format();
    }

    private String format() {
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (c != '%') {
                out.append(c);
            } else if (peek() == '%') {
                at++;
                out.append('%');
            } else {
                field();
            }
        }
        return out.toString();
    }

    /// Writes the field after a percent sign.
    private void field() {
        int number = position();
        boolean left = false;
        while (peek() == '-') {
            left = true;
            at++;
        }
        long width = 0;
        if (peek() == '*') {
            at++;
            width = given(position());
        } else if (isDigit(peek())) {
            width = digits();
        }
        if (width < 0) {
            left = true;
            width = -width;
        }
        if (width > WIDTH_MAX) {
            throw wrong("A field of FORMAT is wider than " + WIDTH_MAX + " characters");
        }
        char kind = peek();
        at++;
        String text = written(kind, number);
        int blanks = (int) Math.max(0, width - text.codePointCount(0, text.length()));
        out.append(left ? text : " ".repeat(blanks)).append(left ? " ".repeat(blanks) : text);
    }

    private String written(char kind, int number) {
        switch (kind) {
            case 's', 'I', 'L' -> {}
            case 0 ->
                    throw wrong("A \"%\" stands at the end of the pattern; \"%%\" is one of them");
            default ->
                    throw wrong(
                            "\"%"
                                    + kind
                                    + "\" means nothing to FORMAT: it knows %s, %I, %L and %% itself");
        }
        String value = value(number);
        return switch (kind) {
            case 's' -> value == null ? "" : value;
            case 'L' -> value == null ? "NULL" : literal(value);
            default -> {
                if (value == null) {
                    throw wrong("NULL is not a name");
                }
                yield name(value);
            }
        };
    }

    /// The number before a dollar sign; 0 if there is none.
    private int position() {
        int start = at;
        long number = digits();
        if (at > start && peek() == '$') {
            at++;
            if (number < 1) {
                throw wrong("The values of FORMAT are counted from 1");
            }
            return (int) number;
        }
        at = start;
        return 0;
    }

    private long given(int number) {
        String value = value(number);
        try {
            return value == null ? 0 : Integer.parseInt(value.strip());
        } catch (NumberFormatException none) {
            throw wrong("'" + value + "' is not a width");
        }
    }

    /// Value `number`, or the next one.
    private @Nullable String value(int number) {
        last = number == 0 ? last + 1 : number;
        if (last > values.size()) {
            throw wrong("FORMAT has too few values for its pattern");
        }
        return values.get(last - 1);
    }

    private long digits() {
        long number = 0;
        while (isDigit(peek())) {
            number = Math.min(10 * number + pattern.charAt(at++) - '0', Integer.MAX_VALUE);
        }
        return number;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private char peek() {
        return at < pattern.length() ? pattern.charAt(at) : 0;
    }

    private SqlException wrong(String message) {
        return place.error(Kind.INVALID_PARAMETER, message);
    }

    /// The body of FORMAT, of texts.
    public static FunctionCall.TextBody body(Place place) {
        return (arguments, frame) -> {
            String pattern = arguments.getFirst().evalText(frame);
            if (pattern == null) {
                return null;
            }
            List<@Nullable String> values = new ArrayList<>();
            for (int i = 1; i < arguments.size(); i++) {
                values.add(arguments.get(i).evalText(frame));
            }
            return format(pattern, values, place);
        };
    }
}
