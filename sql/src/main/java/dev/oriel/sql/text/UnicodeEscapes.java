package dev.oriel.sql.text;

import dev.oriel.sql.SqlException.Kind;

/// Reads `U&'d\0061t'`: a backslash begins an escape of four hexadecimal digits of a character, or of six after
/// `\+`. A doubled backslash stands for one.
final class UnicodeEscapes {
    private static final int DIGITS = 4;
    private static final int DIGITS_MORE = 6;

    private UnicodeEscapes() {}

    static String read(SqlText source, int start, String written) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < written.length()) {
            char c = written.charAt(at++);
            if (c != '\\') {
                out.append(c);
            } else if (at < written.length() && written.charAt(at) == '\\') {
                out.append(written.charAt(at++));
            } else {
                boolean more = at < written.length() && written.charAt(at) == '+';
                int first = more ? at + 1 : at;
                at = first + (more ? DIGITS_MORE : DIGITS);
                out.appendCodePoint(number(source, start, written, first, at));
            }
        }
        boolean whole =
                out.codePoints()
                        .noneMatch(
                                c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        if (!whole || (out.isEmpty() && source.text().charAt(start + 2) == '"')) {
            throw source.error(
                    Kind.SYNTAX,
                    start,
                    whole ? "A name cannot be empty" : "Half a character stands here");
        }
        return out.toString();
    }

    private static int number(SqlText source, int start, String written, int from, int to) {
        int number = to > written.length() ? -1 : 0;
        for (int i = from; i < to && number >= 0; i++) {
            int digit = Character.digit(written.charAt(i), 16);
            number = digit < 0 ? -1 : number * 16 + digit;
        }
        if (number <= 0 || number > Character.MAX_CODE_POINT) {
            throw source.error(
                    Kind.SYNTAX,
                    start,
                    "A backslash in U& stands before 4 hexadecimal digits, \"+\" and 6 of them, or"
                            + " another backslash");
        }
        return number;
    }
}
