package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import java.text.Normalizer;

/// UNISTR: text with escaped characters. NORMALIZE: text in a normal form of Unicode.
final class UnicodeText {
    private UnicodeText() {}

    /// Replaces the escapes `\\XXXX`, `\\+XXXXXX`, `\\uXXXX` and `\\UXXXXXXXX`; two backslashes are one.
    static String unescaped(String text, Place place) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char next = at < text.length() ? text.charAt(at) : 0;
            if (next == '\\') {
                out.append('\\');
                at++;
                continue;
            }
            int mark = next == '+' || next == 'u' || next == 'U' ? 1 : 0;
            int digits = next == '+' ? 6 : next == 'U' ? 8 : 4;
            int end = at + mark + digits;
            long code = end <= text.length() ? number(text, at + mark, end) : -1;
            if (code < 0) {
                throw place.error(
                        Kind.SYNTAX,
                        "A backslash begins \\XXXX, \\+XXXXXX, \\uXXXX or \\UXXXXXXXX here; two of"
                                + " them are one");
            }
            if (code == 0 || code > Character.MAX_CODE_POINT) {
                throw noCharacter(place);
            }
            out.appendCodePoint((int) code);
            at = end;
        }
        for (int i = 0; i < out.length(); i++) {
            boolean high = Character.isHighSurrogate(out.charAt(i));
            if (high && i + 1 < out.length() && Character.isLowSurrogate(out.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(out.charAt(i))) {
                throw noCharacter(place);
            }
        }
        return out.toString();
    }

    /// `text` in the normal form called `form`; NFC if that is empty.
    static String normalized(String text, String form, Place place) {
        for (Normalizer.Form each : Normalizer.Form.values()) {
            if (form.isEmpty() || each.name().equalsIgnoreCase(form)) {
                return Normalizer.normalize(text, form.isEmpty() ? Normalizer.Form.NFC : each);
            }
        }
        throw place.error(
                Kind.INVALID_PARAMETER,
                "There is no normal form '" + form + "': use NFC, NFD, NFKC or NFKD");
    }

    private static SqlException noCharacter(Place place) {
        return place.error(Kind.SYNTAX, "There is no such character in Unicode");
    }

    private static long number(String text, int from, int to) {
        long code = 0;
        for (int i = from; i < to; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0 || text.charAt(i) > 'f') {
                return -1;
            }
            code = code * 16 + digit;
        }
        return code;
    }
}
