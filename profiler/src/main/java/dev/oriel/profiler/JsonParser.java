package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads JSON (RFC 8259) into maps, lists, strings, numbers and booleans; files of other tools are small. Confined
/// to one thread; depth is bounded.
final class JsonParser {
    private static final int DEPTH_MAX = 200;

    private final String text;
    private int at;
    private int depth;

    private JsonParser(String text) {
        this.text = text;
    }

    /// The value of a whole text: `Map`, `List`, `String`, `Long`, `Double`, `Boolean` or null.
    ///
    /// @throws ProfileFormatException if it is no valid JSON
    static @Nullable Object parse(String text) throws ProfileFormatException {
        JsonParser parser = new JsonParser(text);
        Object value = parser.value();
        parser.space();
        if (parser.at < text.length()) {
            throw parser.wrong("something follows the value");
        }
        return value;
    }

    /// An object.
    static Map<?, ?> object(@Nullable Object value, String what) throws ProfileFormatException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new ProfileFormatException(what + " is not a JSON object");
    }

    /// An array.
    static List<?> array(@Nullable Object value, String what) throws ProfileFormatException {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new ProfileFormatException(what + " is not a JSON array");
    }

    /// A number that is whole.
    static long whole(@Nullable Object value, String what) throws ProfileFormatException {
        if (value instanceof Number number) {
            return number.longValue();
        }
        throw new ProfileFormatException(what + " is not a number");
    }

    private @Nullable Object value() throws ProfileFormatException {
        space();
        if (at >= text.length()) {
            throw wrong("the text ends early");
        }
        char c = text.charAt(at);
        if (c == '{' || c == '[') {
            if (++depth > DEPTH_MAX) {
                throw wrong("brackets are nested deeper than " + DEPTH_MAX);
            }
            Object nested = c == '{' ? object() : array();
            depth--;
            return nested;
        }
        return switch (c) {
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() throws ProfileFormatException {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        at++;
        while (!ends('}', map.isEmpty())) {
            space();
            String name = string();
            expect(':');
            map.put(name, value());
        }
        return map;
    }

    private List<@Nullable Object> array() throws ProfileFormatException {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        while (!ends(']', list.isEmpty())) {
            list.add(value());
        }
        return list;
    }

    /// Whether the bracket closes here; otherwise all elements but the first must begin with a comma.
    private boolean ends(char bracket, boolean first) throws ProfileFormatException {
        space();
        if (at < text.length() && text.charAt(at) == bracket) {
            at++;
            return true;
        }
        if (!first) {
            expect(',');
        }
        return false;
    }

    private String string() throws ProfileFormatException {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escape() : c);
        }
        throw wrong("a string does not end");
    }

    private char escape() throws ProfileFormatException {
        if (at >= text.length()) {
            throw wrong("a string does not end");
        }
        char c = text.charAt(at++);
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw wrong("an escape is cut off");
                }
                at += 4;
                try {
                    yield (char) Integer.parseInt(text, at - 4, at, 16);
                } catch (NumberFormatException e) {
                    throw wrong("an escape is no number");
                }
            }
            default -> c;
        };
    }

    private Object number() throws ProfileFormatException {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(begin, at);
        try {
            if (digits.indexOf('.') < 0 && digits.indexOf('e') < 0 && digits.indexOf('E') < 0) {
                return Long.parseLong(digits);
            }
            return Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw wrong("'" + digits + "' is no number");
        }
    }

    private @Nullable Object word(String word, @Nullable Object value)
            throws ProfileFormatException {
        if (!text.startsWith(word, at)) {
            throw wrong("not a value");
        }
        at += word.length();
        return value;
    }

    private void expect(char c) throws ProfileFormatException {
        space();
        if (at >= text.length() || text.charAt(at) != c) {
            throw wrong("'" + c + "' is missing");
        }
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private ProfileFormatException wrong(String what) {
        long line = 1 + text.chars().limit(at).filter(c -> c == '\n').count();
        return new ProfileFormatException("Not JSON, near line " + line + ": " + what);
    }
}
