package dev.oriel.profiler;

import java.io.IOException;

/// Writes JSON without building it; commas are inserted automatically. The output may be placed inside an HTML
/// script element, because `<`, `>` and `&` are always escaped. Confined to one thread.
final class JsonWriter {
    private final Appendable out;
    private boolean first = true;

    JsonWriter(Appendable out) {
        this.out = out;
    }

    JsonWriter open(char bracket) throws IOException {
        next();
        out.append(bracket);
        first = true;
        return this;
    }

    JsonWriter close(char bracket) throws IOException {
        out.append(bracket);
        first = false;
        return this;
    }

    /// The name of the next value, in an object.
    JsonWriter name(String name) throws IOException {
        next();
        string(name);
        out.append(':');
        first = true;
        return this;
    }

    JsonWriter value(long number) throws IOException {
        next();
        out.append(Long.toString(number));
        return this;
    }

    /// A number that is finite.
    JsonWriter value(double number) throws IOException {
        next();
        boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
        out.append(whole ? Long.toString((long) number) : Double.toString(number));
        return this;
    }

    JsonWriter value(boolean value) throws IOException {
        next();
        out.append(Boolean.toString(value));
        return this;
    }

    JsonWriter value(String text) throws IOException {
        next();
        string(text);
        return this;
    }

    /// The next value begins on a line of its own.
    JsonWriter line() throws IOException {
        if (!first) {
            out.append(',');
        }
        out.append('\n');
        first = true;
        return this;
    }

    private void next() throws IOException {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void string(String text) throws IOException {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '<' || c == '>' || c == '&' || c >= 0x7f) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
