package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// PARSE_IDENT: the parts of a qualified name, in lower case unless they stand in double quotes.
public final class IdentifierParts {
    private final String text;
    private final boolean strict;
    private final Place place;
    private final List<String> parts = new ArrayList<>();
    private int at;

    private IdentifierParts(String text, boolean strict, Place place) {
        this.text = text;
        this.strict = strict;
        this.place = place;
    }

    /// The parts of `text`, as an array of texts.
    ///
    /// @param strict whether nothing may follow the name
    public static byte[] of(String text, boolean strict, Place place) {
        return new IdentifierParts(text, strict, place).read();
    }

    private byte[] read() {
        skipBlanks();
        while (true) {
            part();
            skipBlanks();
            if (at < text.length() && text.charAt(at) == '.') {
                at++;
                skipBlanks();
            } else if (at < text.length() && strict) {
                throw unfit("something follows the name");
            } else {
                break;
            }
        }
        Tuple elements = new Tuple(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            elements.setText(i, parts.get(i));
        }
        return ArrayValue.of(Typing.TEXT, elements, parts.size());
    }

    private void part() {
        if (at < text.length() && text.charAt(at) == '"') {
            StringBuilder name = new StringBuilder();
            at++;
            while (true) {
                int end = text.indexOf('"', at);
                if (end < 0) {
                    throw unfit("a double quote is not closed");
                }
                name.append(text, at, end);
                at = end + 1;
                if (at >= text.length() || text.charAt(at) != '"') {
                    break;
                }
                name.append('"');
                at++;
            }
            if (name.isEmpty()) {
                throw unfit("a name in double quotes cannot be empty");
            }
            parts.add(name.toString());
            return;
        }
        int start = at;
        while (at < text.length() && isOfName(text.charAt(at), at > start)) {
            at++;
        }
        if (at == start) {
            throw unfit(start == text.length() ? "a name is missing" : "no name begins there");
        }
        parts.add(text.substring(start, at).toLowerCase(Locale.ROOT));
    }

    private static boolean isOfName(char c, boolean within) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c > 127;
        return letter || (within && ((c >= '0' && c <= '9') || c == '$'));
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\n\r\f".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private SqlException unfit(String why) {
        return place.error(
                Kind.INVALID_PARAMETER,
                "'" + text + "' is not a name: " + why + " (character " + (at + 1) + ")");
    }
}
