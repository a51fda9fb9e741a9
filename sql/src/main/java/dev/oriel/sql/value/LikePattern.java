package dev.oriel.sql.value;

import dev.oriel.sql.cancel.Cancellation;
import org.jspecify.annotations.Nullable;

/// LIKE: `%` stands for any text, `_` for one character (code point), and the escape character
/// makes the next one stand for itself.
public final class LikePattern {
    /// Escape character without an ESCAPE clause.
    public static final int USUAL_ESCAPE = '\\';

    public static final int NO_ESCAPE = -1;

    /// Mask of the step count: cancellation is polled once every 65,536 steps.
    private static final int POLL_MASK = 0xffff;

    private LikePattern() {}

    /// Whether the whole of `text` matches. Backtracks only to the last `%`, so the time is at most the product of
    /// the lengths. Allocates nothing.
    public static boolean matches(String text, String pattern, int escape, boolean ignoreCase) {
        int t = 0;
        int p = 0;
        int retryText = -1;
        int retryPattern = 0;
        int steps = 0;
        while (t < text.length()) {
            if ((++steps & POLL_MASK) == 0) {
                Cancellation.pollRunning();
            }
            int wanted = p < pattern.length() ? pattern.codePointAt(p) : -1;
            if (wanted == '%' && wanted != escape) {
                retryPattern = ++p;
                retryText = t;
                continue;
            }
            int found = text.codePointAt(t);
            if (wanted >= 0) {
                boolean any = wanted == '_' && wanted != escape;
                int at = p;
                if (wanted == escape && !any) {
                    at += Character.charCount(wanted);
                    wanted = pattern.codePointAt(at);
                }
                if (any || wanted == found || (ignoreCase && fold(wanted) == fold(found))) {
                    p = at + Character.charCount(wanted);
                    t += Character.charCount(found);
                    continue;
                }
            }
            if (retryText < 0) {
                return false;
            }
            retryText += Character.charCount(text.codePointAt(retryText));
            t = retryText;
            p = retryPattern;
        }
        while (p < pattern.length() && pattern.charAt(p) == '%' && '%' != escape) {
            p++;
        }
        return p == pattern.length();
    }

    /// Whether the pattern ends in an escape character that escapes nothing.
    public static boolean endsInEscape(String pattern, int escape) {
        int p = 0;
        while (p < pattern.length()) {
            int c = pattern.codePointAt(p);
            p += Character.charCount(c);
            if (c == escape) {
                if (p == pattern.length()) {
                    return true;
                }
                p += Character.charCount(pattern.codePointAt(p));
            }
        }
        return false;
    }

    /// The literal prefix of all matching texts.
    public static String prefix(String pattern, int escape) {
        StringBuilder prefix = new StringBuilder();
        int p = 0;
        while (p < pattern.length()) {
            int c = pattern.codePointAt(p);
            if (c == escape) {
                p += Character.charCount(c);
                if (p == pattern.length()) {
                    break;
                }
                c = pattern.codePointAt(p);
            } else if (c == '%' || c == '_') {
                break;
            }
            prefix.appendCodePoint(c);
            p += Character.charCount(c);
        }
        return prefix.toString();
    }

    /// The least text greater than all texts that begin with `prefix`; null if there is none.
    public static @Nullable String after(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1;
                // UTF-8 has no surrogates: the code point after U+D7FF is U+E000.
                if (next == Character.MIN_SURROGATE) {
                    next = Character.MAX_SURROGATE + 1;
                }
                return prefix.substring(0, end) + Character.toString(next);
            }
        }
        return null;
    }

    private static int fold(int codePoint) {
        return Character.toLowerCase(Character.toUpperCase(codePoint));
    }
}
