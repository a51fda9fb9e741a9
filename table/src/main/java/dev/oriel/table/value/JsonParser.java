package dev.oriel.table.value;

import java.math.BigDecimal;

/// Parses the text of one JSON value by RFC 8259.
final class JsonParser {
    /// Most characters of a number, so that reading it stays quick.
    private static final int NUMBER_CHARS_MAX = 10_000;

    private final String text;
    private final boolean unique;
    private final JsonBuilder out = new JsonBuilder();
    private int at;

    /// @param unique whether a name may occur only once in an object
    JsonParser(String text, boolean unique) {
        this.text = text;
        this.unique = unique;
    }

    byte[] parse() {
        value(0);
        blanks();
        if (at < text.length()) {
            throw error("the end was expected, found " + found());
        }
        return out.toBytes();
    }

    private void value(int depth) {
        blanks();
        char c = peek();
        switch (c) {
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case '"' -> out.putString(string());
            case 't' -> {
                word("true");
                out.putBoolean(true);
            }
            case 'f' -> {
                word("false");
                out.putBoolean(false);
            }
            case 'n' -> {
                word("null");
                out.putNull();
            }
            default -> {
                if (c != '-' && !digit(c)) {
                    throw error("a value was expected, found " + found());
                }
                number();
            }
        }
    }

    static JsonException tooDeep(int position) {
        return new JsonException(
                "JSON is nested more than " + Json.DEPTH_MAX + " levels deep", position);
    }

    private void object(int depth) {
        if (depth > Json.DEPTH_MAX) {
            throw tooDeep(at);
        }
        int start = at++;
        JsonBuilder.Open object = out.beginObject();
        blanks();
        if (peek() == '}') {
            at++;
            object.end();
            return;
        }
        while (true) {
            blanks();
            if (peek() != '"') {
                throw error("a name in double quotes was expected, found " + found());
            }
            object.name(string());
            blanks();
            take(':', "\":\"");
            value(depth);
            blanks();
            if (peek() != ',') {
                break;
            }
            at++;
        }
        take('}', "\",\" or \"}\"");
        if (!unique) {
            object.end();
            return;
        }
        String twice = object.endUnique();
        if (twice != null) {
            at = start;
            throw error("an object has the name \"" + ShortText.of(twice) + "\" twice");
        }
    }

    private void array(int depth) {
        if (depth > Json.DEPTH_MAX) {
            throw tooDeep(at);
        }
        at++;
        JsonBuilder.Open array = out.beginArray();
        blanks();
        if (peek() == ']') {
            at++;
            array.end();
            return;
        }
        while (true) {
            array.element();
            value(depth);
            blanks();
            if (peek() != ',') {
                break;
            }
            at++;
        }
        take(']', "\",\" or \"]\"");
        array.end();
    }

    private void take(char wanted, String what) {
        if (peek() != wanted) {
            throw error(what + " was expected, found " + found());
        }
        at++;
    }

    private void word(String word) {
        if (!text.startsWith(word, at)) {
            throw error("a value was expected, found " + found());
        }
        at += word.length();
    }

    private void number() {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        if (at - start > NUMBER_CHARS_MAX) {
            at = start;
            throw error("a number is longer than " + NUMBER_CHARS_MAX + " characters");
        }
        try {
            out.putNumber(new BigDecimal(text.substring(start, at)));
        } catch (NumberFormatException | JsonException beyond) {
            at = start;
            throw error("the number is out of range");
        }
    }

    private void digits() {
        if (!digit(peek())) {
            throw error("a digit was expected, found " + found());
        }
        while (digit(peek())) {
            at++;
        }
    }

    private String string() {
        int start = ++at;
        while (at < text.length() && plain(text.charAt(at))) {
            at++;
        }
        if (peek() == '"') {
            String run = text.substring(start, at++);
            checkPairs(run, start);
            return run;
        }
        StringBuilder unescaped = new StringBuilder(text.substring(start, at));
        while (true) {
            char c = peek();
            if (c == '"') {
                at++;
                String whole = unescaped.toString();
                checkPairs(whole, start);
                return whole;
            } else if (c == '\\') {
                at++;
                unescaped.append(escaped());
            } else if (at >= text.length()) {
                at = start - 1;
                throw error("the string is not closed");
            } else if (c < ' ') {
                throw error("a control character must be written as an escape, as \\n");
            } else {
                unescaped.append(c);
                at++;
            }
        }
    }

    private static boolean plain(char c) {
        return c >= ' ' && c != '"' && c != '\\';
    }

    private void checkPairs(String string, int start) {
        if (Utf8.unpaired(string) >= 0) {
            at = start;
            throw error("the string holds half of a surrogate pair, which is not a character");
        }
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> {
                at--;
                throw error("an escape was expected after \"\\\", found " + found());
            }
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0 || peek() > 'f') {
                throw error("a hexadecimal digit was expected, found " + found());
            }
            value = 16 * value + digit;
            at++;
        }
        if (value == 0) {
            throw error("\\u0000 is no character of a text; leave it out");
        }
        return (char) value;
    }

    private void blanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
                return;
            }
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }

    private String found() {
        if (at >= text.length()) {
            return "the end";
        }
        int character = text.codePointAt(at);
        return Character.isISOControl(character)
                ? "U+%04X".formatted(character)
                : "\"" + Character.toString(character) + "\"";
    }

    private JsonException error(String problem) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at && i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new JsonException(
                "This is not JSON: "
                        + problem
                        + " (line "
                        + line
                        + ", column "
                        + (at - lineStart + 1)
                        + ")",
                at);
    }
}
