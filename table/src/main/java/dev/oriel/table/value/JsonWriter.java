package dev.oriel.table.value;

import java.util.HexFormat;

/// Writes a [Json] value as text.
final class JsonWriter {
    private static final int INDENTED_BY = 4;

    private final byte[] json;
    private final StringBuilder out;
    private final boolean lines;

    /// @param lines whether each element and member has a line of its own
    JsonWriter(byte[] json, StringBuilder out, boolean lines) {
        this.json = json;
        this.out = out;
        this.lines = lines;
    }

    /// Writes the value at `at`, at depth `level`, and returns the offset of its end.
    int write(int at, int level) {
        switch (Json.kind(json, at)) {
            case NULL -> out.append("null");
            case BOOLEAN -> out.append(Json.truth(json, at));
            case NUMBER -> out.append(Json.number(json, at).toPlainString());
            case STRING -> quote(Json.string(json, at), out);
            case ARRAY -> {
                return several(at, level, '[', ']');
            }
            case OBJECT -> {
                return several(at, level, '{', '}');
            }
        }
        return Json.end(json, at);
    }

    private int several(int at, int level, char open, char close) {
        int count = Json.count(json, at);
        int i = Json.first(at);
        out.append(open);
        for (int n = 0; n < count; n++) {
            out.append(n == 0 ? "" : lines ? "," : ", ");
            line(level + 1);
            if (open == '{') {
                quote(Json.name(json, i), out);
                out.append(": ");
                i = Json.value(json, i);
            }
            i = write(i, level + 1);
        }
        line(level);
        out.append(close);
        return i;
    }

    private void line(int level) {
        if (lines) {
            out.append('\n').repeat(' ', INDENTED_BY * level);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append("\\u").append(HexFormat.of().toHexDigits(c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
