package dev.oriel.sql.value;

import java.util.Map;
import java.util.regex.PatternSyntaxException;

/// Translates POSIX classes in regular expressions, `[[:digit:]]`, to the JDK's. The JDK would read them as the
/// letters of their names.
final class PosixClasses {
    private static final Map<String, String> CLASSES =
            Map.ofEntries(
                    Map.entry("alpha", "\\p{Alpha}"),
                    Map.entry("digit", "\\p{Digit}"),
                    Map.entry("alnum", "\\p{Alnum}"),
                    Map.entry("upper", "\\p{Upper}"),
                    Map.entry("lower", "\\p{Lower}"),
                    Map.entry("space", "\\p{Space}"),
                    Map.entry("punct", "\\p{Punct}"),
                    Map.entry("cntrl", "\\p{Cntrl}"),
                    Map.entry("graph", "\\p{Graph}"),
                    Map.entry("print", "\\p{Print}"),
                    Map.entry("blank", "\\p{Blank}"),
                    Map.entry("xdigit", "\\p{XDigit}"),
                    Map.entry("word", "\\w"));

    private final String text;
    private final StringBuilder out = new StringBuilder();
    private int at;

    /// Number of open brackets.
    private int open;

    private PosixClasses(String text) {
        this.text = text;
    }

    /// @throws PatternSyntaxException if the name of a class is unknown
    static String translated(String text) {
        return text.contains("[:") ? new PosixClasses(text).translated() : text;
    }

    private String translated() {
        while (at < text.length()) {
            switch (text.charAt(at)) {
                case '\\' -> copy(endEscape());
                case '[' -> bracket();
                case ']' -> {
                    open = Math.max(open - 1, 0);
                    copy(at + 1);
                }
                default -> copy(at + 1);
            }
        }
        return out.toString();
    }

    /// The index after an escaped character, or after `\Q...\E`.
    private int endEscape() {
        if (!text.startsWith("\\Q", at)) {
            return at + 2;
        }
        int end = text.indexOf("\\E", at);
        return end < 0 ? text.length() : end + 2;
    }

    private void bracket() {
        int end = text.indexOf(":]", at);
        if (open > 0 && text.startsWith("[:", at) && isName(at + 2, end)) {
            String known = CLASSES.get(text.substring(at + 2, end));
            if (known == null) {
                throw new PatternSyntaxException("no such class", text, at);
            }
            out.append(known);
            at = end + 2;
            return;
        }
        open++;
        copy(at + 1);
        if (at < text.length() && text.charAt(at) == '^') {
            copy(at + 1);
        }
        if (at < text.length() && text.charAt(at) == ']') {
            copy(at + 1); // a first bracket is literal
        }
    }

    private boolean isName(int from, int to) {
        return from < to && text.substring(from, to).chars().allMatch(c -> c >= 'a' && c <= 'z');
    }

    private void copy(int end) {
        int last = Math.min(end, text.length());
        out.append(text, at, last);
        at = last;
    }
}
