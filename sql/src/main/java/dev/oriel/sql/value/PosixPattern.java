package dev.oriel.sql.value;

import java.util.Map;
import java.util.regex.PatternSyntaxException;

/// Translates parts of regular expressions that the JDK reads otherwise. Classes of POSIX, `[[:digit:]]`, are the
/// letters of their names there. Digits are those of ASCII here. Ends of words are `\m`, `\M` and `\y`. And `$` may
/// precede a last line feed there, and `^` does not follow it.
final class PosixPattern {
    private static final Map<String, String> CLASSES =
            Map.ofEntries(
                    Map.entry("alpha", "\\p{Alpha}"),
                    Map.entry("digit", "0-9"),
                    Map.entry("alnum", "\\p{Alnum}"),
                    Map.entry("upper", "\\p{Upper}"),
                    Map.entry("lower", "\\p{Lower}"),
                    Map.entry("space", "\\p{Space}"),
                    Map.entry("punct", "\\p{IsPunctuation}$+<=>\\^`|~"),
                    Map.entry("cntrl", "\\p{Cntrl}"),
                    Map.entry("graph", "\\p{Graph}"),
                    Map.entry("print", "\\p{Print}"),
                    Map.entry("blank", "\\p{Blank}"),
                    Map.entry("xdigit", "0-9A-Fa-f"),
                    Map.entry("word", "\\w"));

    private final String text;
    private final StringBuilder out = new StringBuilder();
    private int at;

    /// Number of open brackets.
    private int open;

    private final boolean lines;

    private PosixPattern(String text, boolean lines) {
        this.text = text;
        this.lines = lines;
    }

    /// @param lines whether `$` is the end of each line
    /// @throws PatternSyntaxException if the name of a class is unknown
    static String translated(String text, boolean lines) {
        boolean starts = lines && text.indexOf('^') >= 0;
        boolean plain = text.indexOf('\\') < 0 && text.indexOf('$') < 0 && !text.contains("[:");
        return plain && !starts ? text : new PosixPattern(text, lines).translated();
    }

    private String translated() {
        while (at < text.length()) {
            switch (text.charAt(at)) {
                case '\\' -> escape();
                case '$' -> end();
                case '^' -> start();
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

    private void end() {
        if (open == 0 && !lines) {
            out.append("\\z");
            at++;
        } else {
            copy(at + 1);
        }
    }

    /// Copies `^`. There it is also the start of an empty last line, behind the last line feed.
    private void start() {
        if (open == 0 && lines) {
            out.append("(?:^|(?<=\\n))");
            at++;
        } else {
            copy(at + 1);
        }
    }

    private void escape() {
        char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
        boolean word = next != 'd' && next != 'D';
        String other =
                switch (open > 0 && word ? 0 : next) {
                    case 'd' -> open > 0 ? "0-9" : "[0-9]";
                    case 'D' -> "[^0-9]";
                    case 'm' -> "\\b(?=\\w)";
                    case 'M' -> "\\b(?<=\\w)";
                    case 'y' -> "\\b";
                    case 'Y' -> "\\B";
                    case 'Z' -> "\\z";
                    default -> "";
                };
        if (other.isEmpty()) {
            copy(endEscape());
        } else {
            out.append(other);
            at += 2;
        }
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
