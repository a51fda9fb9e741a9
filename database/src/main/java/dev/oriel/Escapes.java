package dev.oriel;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;

/// The escapes of JDBC, `{d '2024-02-29'}` and the like, translated to SQL. Quoted texts and comments are left
/// alone.
final class Escapes {
    /// Replacements of the word after the brace; the closing brace is dropped.
    private static final Map<String, String> WORDS =
            Map.of(
                    "d", "DATE",
                    "t", "TIME",
                    "ts", "TIMESTAMP",
                    "fn", "",
                    "call", "CALL",
                    "oj", "",
                    "escape", "ESCAPE",
                    "limit", "LIMIT");

    private final String sql;
    private final StringBuilder plain = new StringBuilder();
    private int at;
    private int open;

    private Escapes(String sql) {
        this.sql = sql;
    }

    /// `sql` without escapes.
    ///
    /// @throws SQLException if an escape is unknown or not closed
    static String plain(String sql) throws SQLException {
        return SqlStates.given(sql, "statement").indexOf('{') < 0 ? sql : new Escapes(sql).plain();
    }

    private String plain() throws SQLException {
        while (at < sql.length()) {
            switch (sql.charAt(at)) {
                case '\'' -> copy(isEscaped() ? endEscaped() : end("'", at + 1));
                case '"' -> copy(end("\"", at + 1));
                case '`' -> copy(end("`", at + 1));
                case '$' -> copy(endTagged());
                case '-' -> copy(sql.startsWith("--", at) ? endLine() : at + 1);
                case '/' -> copy(endSlash());
                case '{' -> open();
                case '}' -> close();
                default -> copy(at + 1);
            }
        }
        if (open > 0) {
            throw wrong("The statement ends inside a JDBC escape; close it with }");
        }
        return plain.toString();
    }

    /// Index after the next `closing`, or the end.
    private int end(String closing, int from) {
        int found = sql.indexOf(closing, from);
        return found < 0 ? sql.length() : found + closing.length();
    }

    /// Index after a comment that ends with its line, whichever line terminator it has.
    private int endSlash() {
        if (sql.startsWith("//", at)) {
            return endLine();
        }
        return sql.startsWith("/*", at) ? endComment() : at + 1;
    }

    private int endLine() {
        int end = at;
        while (end < sql.length() && sql.charAt(end) != '\n' && sql.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    /// Whether the quote here begins `E'...'`.
    private boolean isEscaped() {
        return at > 0
                && Character.toLowerCase(sql.charAt(at - 1)) == 'e'
                && (at < 2 || !Character.isJavaIdentifierPart(sql.charAt(at - 2)));
    }

    /// Index after a string in which a backslash may escape a quote. A doubled quote does not end it: the rest
    /// would be taken for a string without backslashes.
    private int endEscaped() {
        int end = at + 1;
        while (end < sql.length() && (sql.charAt(end) != '\'' || sql.startsWith("''", end))) {
            end += sql.charAt(end) == '\\' || sql.charAt(end) == '\'' ? 2 : 1;
        }
        return Math.min(end + 1, sql.length());
    }

    /// Index after a comment, with the comments nested in it.
    private int endComment() {
        int end = at;
        int open = 0;
        do {
            if (sql.startsWith("/*", end)) {
                open++;
                end += 2;
            } else if (sql.startsWith("*/", end)) {
                open--;
                end += 2;
            } else {
                end++;
            }
        } while (open > 0 && end < sql.length());
        return Math.min(end, sql.length());
    }

    /// Index after `$tag$...$tag$`, or after a dollar that begins no such string.
    private int endTagged() {
        int tag = at + 1;
        while (tag < sql.length() && isTagPart(sql.charAt(tag))) {
            tag++;
        }
        boolean none =
                tag == sql.length()
                        || sql.charAt(tag) != '$'
                        || (at > 0 && Character.isJavaIdentifierPart(sql.charAt(at - 1)));
        return none ? at + 1 : end(sql.substring(at, tag + 1), tag + 1);
    }

    private static boolean isTagPart(char c) {
        return c != '$' && Character.isJavaIdentifierPart(c);
    }

    private void copy(int end) {
        plain.append(sql, at, end);
        at = end;
    }

    private void open() throws SQLException {
        int begin = at + 1;
        while (begin < sql.length() && Character.isWhitespace(sql.charAt(begin))) {
            begin++;
        }
        int end = begin;
        while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
            end++;
        }
        if (end < sql.length() && sql.charAt(end) == ':') { // a map of another language
            copy(at + 1);
            return;
        }
        String word = sql.substring(begin, end).toLowerCase(Locale.ROOT);
        String written = WORDS.get(word);
        if (written == null) {
            throw wrong(
                    "There is no JDBC escape {"
                            + word
                            + "; those known are d, t, ts, fn, call, oj, escape and limit");
        }
        plain.append(written);
        at = end;
        open++;
    }

    private void close() {
        if (open > 0) {
            open--;
            at++;
        } else {
            copy(at + 1);
        }
    }

    private static SQLException wrong(String message) {
        return SqlStates.exception(SqlStates.SYNTAX, message);
    }
}
