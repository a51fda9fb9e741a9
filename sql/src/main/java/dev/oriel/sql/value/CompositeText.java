package dev.oriel.sql.value;

import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts composite values to and from PostgreSQL's text form: `(1,,"with, comma")`. A NULL is an empty attribute,
/// and an empty text is `""`.
public final class CompositeText {
    private CompositeText() {}

    /// The attributes in `text`; null for NULL.
    ///
    /// @throws IllegalArgumentException if `text` is no composite value
    static List<@Nullable String> parse(String text) {
        String trimmed = text.strip();
        int end = trimmed.length() - 1;
        if (end < 1 || trimmed.charAt(0) != '(' || trimmed.charAt(end) != ')') {
            throw new IllegalArgumentException("it is not enclosed in parentheses");
        }
        List<@Nullable String> attributes = new ArrayList<>();
        int at = 1;
        while (true) {
            StringBuilder attribute = new StringBuilder();
            int next = attribute(trimmed, at, end, attribute);
            attributes.add(next == at ? null : attribute.toString());
            if (next == end) {
                return attributes;
            }
            at = next + 1;
        }
    }

    /// Appends the attribute that begins at `from`; returns the index of its end.
    private static int attribute(String text, int from, int end, StringBuilder out) {
        boolean quoted = false;
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < end) {
                out.append(text.charAt(++i));
            } else if (c == '"' && quoted && i + 1 < end && text.charAt(i + 1) == '"') {
                out.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i;
            } else if ((c == '(' || c == ')') && !quoted) {
                throw new IllegalArgumentException("a parenthesis is not in double quotes");
            } else {
                out.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("an attribute in double quotes is not closed");
        }
        return end;
    }

    /// The value of `type` that `text` denotes.
    ///
    /// @param zone zone of a moment whose text names none
    /// @throws IllegalArgumentException if it is none, or an attribute is not of its type
    static byte[] value(String text, CompositeType type, Zone zone) {
        List<@Nullable String> texts = parse(text);
        boolean none = type.size() == 0 && texts.size() == 1 && texts.getFirst() == null;
        if (texts.size() != type.size() && !none) {
            throw new IllegalArgumentException("it has another number of attributes");
        }
        Tuple attributes = new Tuple(type.size());
        for (int i = 0; i < type.size(); i++) {
            String one = texts.get(i);
            if (one != null) {
                TextFormat.parse(one, type.type(i), zone, attributes, i);
            }
        }
        return CompositeValue.of(type, attributes);
    }

    static String text(byte[] value, CompositeType type, Zone zone) {
        Tuple attributes = CompositeValue.attributes(type, value);
        StringBuilder out = new StringBuilder("(");
        for (int i = 0; i < type.size(); i++) {
            out.append(i == 0 ? "" : ",");
            String text = TextFormat.of(attributes, i, type.type(i), zone);
            if (text != null) {
                append(text, out);
            }
        }
        return out.append(')').toString();
    }

    private static void append(String attribute, StringBuilder out) {
        boolean plain = !attribute.isEmpty();
        for (int i = 0; i < attribute.length() && plain; i++) {
            char c = attribute.charAt(i);
            plain = "()\",\\".indexOf(c) < 0 && !Character.isWhitespace(c);
        }
        if (plain) {
            out.append(attribute);
            return;
        }
        out.append('"');
        for (int i = 0; i < attribute.length(); i++) {
            char c = attribute.charAt(i);
            out.append(c == '"' ? "\"" : c == '\\' ? "\\" : "").append(c);
        }
        out.append('"');
    }
}
