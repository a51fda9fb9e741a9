package dev.oriel.sql.engine;

import java.util.ArrayList;
import java.util.List;

/// Text of a statement with parameters `$1`, `$2`, ... outside of strings, names and comments.
final class ParameterText {
    private final String text;
    private final StringBuilder masked;
    private final List<Place> places = new ArrayList<>();
    private int count;

    private record Place(int from, int to, int number) {}

    ParameterText(String text) {
        this.text = text;
        this.masked = new StringBuilder(text);
        int at = 0;
        while (at < text.length()) {
            at = next(at);
        }
    }

    /// Number of parameters.
    int count() {
        return count;
    }

    /// The text with each parameter replaced by a question mark, padded in front with blanks.
    String masked() {
        return masked.toString();
    }

    /// End of the token at `at`.
    private int next(int at) {
        char c = text.charAt(at);
        if (c == '\'' && isEscaping(at)) {
            return escapedEnd(at + 1);
        } else if (c == '\'' || c == '"') {
            return end(text.indexOf(c, at + 1), 1);
        } else if (text.startsWith("--", at) || text.startsWith("//", at)) {
            return end(text.indexOf('\n', at), 1);
        } else if (text.startsWith("/*", at)) {
            return commentEnd(at);
        } else if (c != '$' || (at > 0 && Character.isLetterOrDigit(text.charAt(at - 1)))) {
            return at + 1;
        }
        int to = at + 1;
        while (to < text.length() && Character.isDigit(text.charAt(to))) {
            to++;
        }
        if (to > at + 1 && to - at < 6) {
            int number = Integer.parseInt(text.substring(at + 1, to));
            places.add(new Place(at, to, number));
            count = Math.max(count, number);
            masked.replace(at, to, " ".repeat(to - at - 1) + "?");
            return to;
        }
        int tag = text.indexOf('$', at + 1);
        int close = tag < 0 ? -1 : text.indexOf(text.substring(at, tag + 1), tag + 1);
        return close < 0 ? at + 1 : close + (tag - at) + 1;
    }

    /// Whether the string that begins at `quote` is E'...', in which a backslash may stand before a quote.
    private boolean isEscaping(int quote) {
        return quote > 0
                && Character.toUpperCase(text.charAt(quote - 1)) == 'E'
                && (quote == 1 || !Character.isUnicodeIdentifierPart(text.charAt(quote - 2)));
    }

    private int escapedEnd(int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '\'') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length());
    }

    /// End of a comment; comments may be nested.
    private int commentEnd(int from) {
        int open = 0;
        int at = from;
        do {
            open += text.startsWith("/*", at) ? 1 : text.startsWith("*/", at) ? -1 : 0;
            at += text.startsWith("/*", at) || text.startsWith("*/", at) ? 2 : 1;
        } while (open > 0 && at < text.length());
        return Math.min(at, text.length());
    }

    private int end(int found, int length) {
        return found < 0 ? text.length() : found + length;
    }

    /// The text with `arguments` for its parameters, cast to `types` if they are declared.
    String with(List<String> arguments, List<String> types) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        for (Place place : places) {
            out.append(text, from, place.from());
            int i = place.number() - 1;
            String argument = i < 0 || i >= arguments.size() ? "NULL" : arguments.get(i);
            boolean typed = i >= 0 && i < types.size() && !types.get(i).equalsIgnoreCase("unknown");
            out.append(typed ? "CAST((" : "(").append(argument);
            out.append(typed ? ") AS " + types.get(i) + ")" : ")");
            from = place.to();
        }
        return out.append(text.substring(from)).toString();
    }
}
