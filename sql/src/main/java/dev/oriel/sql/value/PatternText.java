package dev.oriel.sql.value;

/// The literal text in a pattern of TO_CHAR. Text in double quotes is literal, and a backslash in it escapes the
/// next character; outside of quotes it escapes only a quote. Each literal character is replaced by a private-use
/// character, which is no field.
final class PatternText {
    private static final char FIRST = '\uE000';
    private static final char LAST = '\uF8FF';

    private final StringBuilder kept = new StringBuilder();
    private final String bare;

    PatternText(String pattern) {
        StringBuilder out = new StringBuilder(pattern.length());
        boolean quoted = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            boolean escapes =
                    c == '\\'
                            && i + 1 < pattern.length()
                            && (quoted || pattern.charAt(i + 1) == '"');
            if (escapes) {
                out.append(keep(pattern.charAt(++i)));
            } else if (c == '"') {
                quoted = !quoted;
            } else {
                out.append(quoted ? keep(c) : c);
            }
        }
        bare = out.toString();
    }

    private char keep(char c) {
        int place = kept.indexOf(String.valueOf(c));
        if (place < 0) {
            place = kept.length();
            kept.append(c);
        }
        return place <= LAST - FIRST ? (char) (FIRST + place) : c;
    }

    /// The pattern without quotes, with placeholders for its literal text.
    String bare() {
        return bare;
    }

    static boolean isText(char c) {
        return c >= FIRST && c <= LAST;
    }

    /// `written` with the literal text restored.
    String restored(String written) {
        if (kept.isEmpty()) {
            return written;
        }
        StringBuilder out = new StringBuilder(written);
        for (int i = 0; i < out.length(); i++) {
            int place = out.charAt(i) - FIRST;
            if (place >= 0 && place < kept.length()) {
                out.setCharAt(i, kept.charAt(place));
            }
        }
        return out.toString();
    }
}
