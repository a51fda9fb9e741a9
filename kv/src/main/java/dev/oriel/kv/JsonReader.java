package dev.oriel.kv;

import dev.oriel.store.UsageException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parses JSON text to Java values: Map (in the order of the text), List, String, Long, BigDecimal, Boolean and
/// null. If member names repeat, the last one counts.
final class JsonReader {
    private final byte[] text;
    private final JsonScan scan;
    private int at;

    private JsonReader(byte[] text) {
        this.text = text;
        this.scan = new JsonScan(text);
    }

    /// @throws UsageException if it is not JSON, or nested too deeply
    static @Nullable Object read(byte[] text) {
        JsonReader reader = new JsonReader(text);
        Status form = reader.scan.check();
        if (form != Status.SUCCESS) {
            throw new UsageException("The value is not JSON; read it as bytes", "why=" + form);
        }
        reader.at = reader.scan.skipSpace(0);
        return reader.value();
    }

    /// The text has been checked, including its depth.
    private @Nullable Object value() {
        int end = scan.skipValue(at, 0);
        int from = at;
        return switch (text[from]) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't', 'f' -> {
                at = end;
                yield text[from] == 't';
            }
            case 'n' -> {
                at = end;
                yield null;
            }
            default -> {
                at = end;
                yield number(new String(text, from, end - from, StandardCharsets.US_ASCII));
            }
        };
    }

    private static Object number(String digits) {
        if (digits.length() <= 18
                && digits.chars().allMatch(c -> c == '-' || (c <= '9' && c >= '0'))) {
            return Long.valueOf(digits);
        }
        BigDecimal decimal;
        try {
            decimal = new BigDecimal(digits);
        } catch (NumberFormatException e) { // JSON, but its exponent has more than ten digits
            throw new UsageException(
                    "A number of the JSON value is out of range; read it as bytes",
                    "number=" + digits.substring(0, Math.min(40, digits.length())),
                    e);
        }
        return decimal.scale() == 0 && decimal.toBigInteger().bitLength() < 64
                ? (Object) decimal.longValueExact()
                : decimal;
    }

    private String string() {
        int end = scan.skipString(at);
        String raw = new String(text, at + 1, end - at - 2, StandardCharsets.UTF_8);
        at = end;
        return raw.indexOf('\\') < 0 ? raw : unescaped(raw);
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at = scan.skipSpace(at + 1);
        while (text[at] != '}') {
            String name = string();
            at = scan.skipSpace(scan.skipSpace(at) + 1);
            members.put(name, value());
            skipComma();
        }
        at++;
        return members;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> elements = new ArrayList<>();
        at = scan.skipSpace(at + 1);
        while (text[at] != ']') {
            elements.add(value());
            skipComma();
        }
        at++;
        return elements;
    }

    private void skipComma() {
        at = scan.skipSpace(at);
        if (text[at] == ',') {
            at = scan.skipSpace(at + 1);
        }
    }

    /// The content of a string with its escapes resolved.
    static String unescaped(String raw) {
        StringBuilder plain = new StringBuilder(raw.length());
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i++);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            char escaped = raw.charAt(i++);
            switch (escaped) {
                case 'b' -> plain.append('\b');
                case 'f' -> plain.append('\f');
                case 'n' -> plain.append('\n');
                case 'r' -> plain.append('\r');
                case 't' -> plain.append('\t');
                case 'u' -> {
                    plain.append((char) Integer.parseInt(raw, i, i + 4, 16));
                    i += 4;
                }
                default -> plain.append(escaped);
            }
        }
        return plain.toString();
    }
}
