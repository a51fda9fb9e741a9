package dev.oriel.cli.migration;

import java.util.ArrayList;
import java.util.List;

/// Extracts the conditions of CHECK from a CREATE TABLE, the only form in which SQLite keeps them.
final class SqliteChecks {
    private static final String WORD = "CHECK";

    private final String text;
    private int at;

    private SqliteChecks(String text) {
        this.text = text;
    }

    /// Returns the conditions, without their outermost parentheses.
    static List<String> of(String createTable) {
        return new SqliteChecks(createTable).conditions();
    }

    private List<String> conditions() {
        List<String> conditions = new ArrayList<>();
        while (at < text.length()) {
            if (isWord()) {
                int open = text.indexOf('(', at);
                if (open < 0) {
                    break;
                }
                at = open;
                int end = end();
                conditions.add(text.substring(open + 1, end));
            } else {
                step();
            }
        }
        return conditions;
    }

    private boolean isWord() {
        int end = at + WORD.length();
        return text.regionMatches(true, at, WORD, 0, WORD.length())
                && (at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1)))
                && (end >= text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
    }

    /// Skips one character, or a whole string, quoted name or comment.
    private void step() {
        char c = text.charAt(at);
        if (text.startsWith("--", at)) {
            passThrough("\n");
        } else if (text.startsWith("/*", at)) {
            passThrough("*/");
        } else if (c == '\'' || c == '"' || c == '`') {
            at++;
            passThrough(String.valueOf(c));
        } else if (c == '[') {
            passThrough("]");
        } else {
            at++;
        }
    }

    private void passThrough(String end) {
        int found = text.indexOf(end, at);
        at = found < 0 ? text.length() : found + end.length();
    }

    /// Skips a pair of parentheses with its content; returns the position of the closing one.
    private int end() {
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return at++;
            }
            step();
        }
        return text.length();
    }
}
