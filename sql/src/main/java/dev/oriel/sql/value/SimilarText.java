package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;

/// Patterns of SIMILAR TO as regular expressions for the whole of a text. An escape character before a double quote
/// separates at most three parts. SUBSTRING returns the text of the second part, and the first part is as short as
/// possible.
public final class SimilarText {
    private final String pattern;
    private final String escape;
    private final StringBuilder out = new StringBuilder("^(?:");
    private final int separators;
    private int passed;
    private boolean inSet;

    private SimilarText(String pattern, String escape) {
        this.pattern = pattern;
        this.escape = escape;
        this.separators = separators(pattern, escape);
    }

    /// The regular expression of `pattern`.
    ///
    /// @param escape one character, or none
    public static String regex(String pattern, String escape, Place place) {
        if (escape.codePointCount(0, escape.length()) > 1) {
            throw place.error(Kind.ESCAPE, "ESCAPE takes one character, or none");
        }
        SimilarText text = new SimilarText(pattern, escape);
        if (text.separators > 2) {
            throw place.error(
                    Kind.ESCAPE,
                    "The pattern has more than two separators of an escape character and a double"
                            + " quote; leave out the others");
        }
        return text.regex();
    }

    /// Number of separators in `pattern`.
    public static int separators(String pattern, String escape) {
        int found = 0;
        for (int i = 0; !escape.isEmpty() && i < pattern.length(); i++) {
            if (pattern.startsWith(escape, i)) {
                i += escape.length();
                found += pattern.startsWith("\"", i) ? 1 : 0;
            }
        }
        return found;
    }

    private String regex() {
        for (int i = 0; i < pattern.length(); i++) {
            boolean escaped = !escape.isEmpty() && pattern.startsWith(escape, i);
            if (escaped && i + escape.length() < pattern.length()) {
                i += escape.length();
                escaped(pattern.charAt(i));
            } else if (inSet) {
                char c = pattern.charAt(i);
                inSet = c != ']';
                out.append(c == '\\' ? "\\\\" : c);
            } else {
                plain(i);
            }
        }
        return out.append(")\\z").toString();
    }

    private void escaped(char next) {
        if (next == '"' && separators > 0) {
            passed++;
            out.append(passed == 1 ? ")(" : ")(?:");
            return;
        }
        out.append(Character.isSurrogate(next) ? "" : "\\").append(next);
    }

    private void plain(int i) {
        char c = pattern.charAt(i);
        inSet = c == '[';
        String least = separators > passed && passed == 0 ? "?" : "";
        switch (c) {
            case '%' -> out.append(".*").append(least);
            case '_' -> out.append('.');
            case '.', '^', '$', '\\' -> out.append('\\').append(c);
            case '*', '+', '?', '}' -> out.append(c).append(least);
            case '(' -> out.append(pattern.startsWith("?", i + 1) ? "(" : "(?:");
            default -> out.append(c);
        }
    }
}
