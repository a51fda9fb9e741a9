package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts arrays to and from PostgreSQL's text form: `{1,NULL,"with, comma"}`.
public final class ArrayText {
    private ArrayText() {}

    /// The elements of the array `text`; null for NULL.
    public static List<@Nullable String> parse(String text, Place place) {
        try {
            return parse(text);
        } catch (IllegalArgumentException unfit) {
            throw place.error(
                    Kind.INVALID_VALUE,
                    "'"
                            + text
                            + "' is not an array: "
                            + unfit.getMessage()
                            + " (an array is written as {1,2,\"with, comma\"})");
        }
    }

    /// The elements of the array `text`; null for NULL.
    ///
    /// @throws IllegalArgumentException with the reason if `text` is no array
    public static List<@Nullable String> parse(String text) {
        String trimmed = text.strip();
        if (!trimmed.startsWith("{") || !trimmed.endsWith("}") || trimmed.length() < 2) {
            throw new IllegalArgumentException("it is not enclosed in braces");
        }
        List<@Nullable String> elements = new ArrayList<>();
        int end = trimmed.length() - 1;
        int at = blanks(trimmed, 1);
        if (at >= end) {
            return elements;
        }
        while (true) {
            at = blanks(trimmed, at);
            StringBuilder element = new StringBuilder();
            boolean quoted = at < end && trimmed.charAt(at) == '"';
            at = quoted ? quoted(trimmed, at + 1, end, element) : plain(trimmed, at, end, element);
            String whole = quoted ? element.toString() : element.toString().strip();
            if (!quoted && whole.isEmpty()) {
                throw new IllegalArgumentException("an element is missing at " + (at + 1));
            }
            elements.add(!quoted && whole.equalsIgnoreCase("NULL") ? null : whole);
            at = blanks(trimmed, at);
            if (at >= end) {
                return elements;
            }
            if (trimmed.charAt(at) != ',') {
                throw new IllegalArgumentException("a comma is missing at " + (at + 1));
            }
            at++;
        }
    }

    private static int quoted(String text, int from, int end, StringBuilder element) {
        int at = from;
        while (at < end && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 1 : 0;
            if (at < end) {
                element.append(text.charAt(at++));
            }
        }
        if (at >= end) {
            throw new IllegalArgumentException("an element in double quotes is not closed");
        }
        return at + 1;
    }

    private static int plain(String text, int from, int end, StringBuilder element) {
        int at = from;
        while (at < end && text.charAt(at) != ',') {
            char c = text.charAt(at);
            if (c == '{' || c == '}' || c == '"') {
                throw new IllegalArgumentException("the character " + c + " stands at " + (at + 1));
            }
            at += c == '\\' ? 1 : 0;
            if (at < end) {
                element.append(text.charAt(at++));
            }
        }
        return at;
    }

    private static int blanks(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /// Appends an element that is not NULL.
    static void append(String element, StringBuilder out) {
        boolean plain = !element.isEmpty() && !element.equalsIgnoreCase("NULL");
        for (int i = 0; i < element.length() && plain; i++) {
            char c = element.charAt(i);
            plain = "{}\",\\".indexOf(c) < 0 && !Character.isWhitespace(c);
        }
        if (plain) {
            out.append(element);
            return;
        }
        out.append('"');
        for (int i = 0; i < element.length(); i++) {
            char c = element.charAt(i);
            out.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
        out.append('"');
    }

    /// The array that `text` denotes in PostgreSQL's form.
    ///
    /// @throws IllegalArgumentException if it is no array, or an element is not of the type
    static byte[] value(String text, Type array, Zone zone) {
        Type type = Typing.element(array);
        List<@Nullable String> texts = parse(text);
        Tuple elements = new Tuple(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            String one = texts.get(i);
            if (one != null) {
                TextFormat.parse(one, type, zone, elements, i);
            }
        }
        return ArrayValue.of(type, elements, texts.size());
    }

    public static String text(byte[] value, Type array, Zone zone) {
        Type type = Typing.element(array);
        Tuple elements = ArrayValue.elements(type, value);
        StringBuilder out = new StringBuilder("{");
        for (int i = 0; i < elements.columns(); i++) {
            out.append(i == 0 ? "" : ",");
            String text = TextFormat.of(elements, i, type, zone);
            if (text == null) {
                out.append("NULL");
            } else {
                append(text, out);
            }
        }
        return out.append('}').toString();
    }
}
