package dev.oriel.sql.text;

import dev.oriel.sql.SqlException.Kind;

/// Reads a string with backslash escapes, as PostgreSQL's `E'a\n'`. A letter of `b f n r t` stands for a control
/// character, octal digits for a code point, and so do hexadecimal digits after `x`, `u` or `U`. Any other
/// character stands for itself. A quote may also be doubled.
final class EscapedString {
    private static final int OCTAL_DIGITS_MAX = 3;

    private final SqlText source;
    private final String text;
    private final int start;
    private final StringBuilder out = new StringBuilder();
    private int at;

    /// @param start position of the string
    /// @param at position after its first quote
    EscapedString(SqlText source, int start, int at) {
        this.source = source;
        this.text = source.text();
        this.start = start;
        this.at = at;
    }

    /// The value of the string; [#end] is then the position after it.
    String read() {
        while (true) {
            char c = take();
            if (c == '\\') {
                escape();
            } else if (c != '\'') {
                out.append(c);
            } else if (at < text.length() && text.charAt(at) == '\'') {
                out.append(take());
            } else {
                checkPairs();
                return out.toString();
            }
        }
    }

    /// Surrogates may be written as two escapes, but must form a pair.
    private void checkPairs() {
        if (out.codePoints()
                .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw source.error(
                    Kind.SYNTAX,
                    start,
                    "This string has half of a surrogate pair, which is not a character");
        }
    }

    int end() {
        return at;
    }

    private char take() {
        if (at >= text.length()) {
            throw source.error(Kind.SYNTAX, start, "This string is not closed");
        }
        return text.charAt(at++);
    }

    private void escape() {
        int position = at - 1;
        char c = take();
        switch (c) {
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'x' -> number(position, 16, 1, 2);
            case 'u' -> number(position, 16, 4, 4);
            case 'U' -> number(position, 16, 8, 8);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                at--;
                number(position, 8, 1, OCTAL_DIGITS_MAX);
            }
            default -> out.append(c);
        }
    }

    private void number(int position, int radix, int least, int most) {
        long number = 0;
        int digits = 0;
        while (digits < most && at < text.length() && digit(radix) >= 0) {
            number = number * radix + digit(radix);
            digits++;
            at++;
        }
        if (digits < least || number == 0 || number > Character.MAX_CODE_POINT) {
            throw source.error(
                    Kind.SYNTAX,
                    position,
                    "This is not the number of a character: one or two hexadecimal digits follow"
                            + " \"x\", four \"u\", eight \"U\"");
        }
        out.appendCodePoint((int) number);
    }

    private int digit(int radix) {
        return Character.digit(text.charAt(at), radix);
    }
}
