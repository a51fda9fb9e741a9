package dev.oriel.sql.value;

import dev.oriel.sql.cancel.Cancellation;

/// Text functions that count in code points, from 1, as SQL does.
public final class Texts {
    /// Number of character comparisons between two polls for cancellation.
    private static final int POLL_STEPS = 1 << 24;

    /// Number of characters from which a search polls for cancellation first.
    private static final int POLL_CHARS = 1 << 10;

    private Texts() {}

    /// The index of `part` in `text` from `from` on; -1 if there is none. Cancellable: the time is at most the
    /// product of the lengths.
    public static int indexOf(String text, String part, int from) {
        int length = part.length();
        if ((long) text.length() * length < POLL_STEPS) {
            return text.indexOf(part, from);
        }
        int step = Math.max(1, POLL_STEPS / length);
        for (int start = from; start <= text.length() - length; start += step) {
            Cancellation.pollRunning();
            int end = (int) Math.min(text.length(), (long) start + step - 1 + length);
            int found = text.indexOf(part, start, end);
            if (found >= 0) {
                return found;
            }
        }
        return -1;
    }

    /// `text` with each occurrence of `from` replaced by `to`; `from` is not empty.
    public static String replace(String text, String from, String to) {
        int found = indexOf(text, from, 0);
        if (found < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (found >= 0) {
            out.append(text, at, found).append(to);
            at = found + from.length();
            found = indexOf(text, from, at);
        }
        return out.append(text, at, text.length()).toString();
    }

    /// `length` characters from character `from`, which may lie before the first one.
    public static String substring(String text, long from, long length) {
        long end = length > Long.MAX_VALUE - Math.max(0, from) ? Long.MAX_VALUE : from + length;
        int start = index(text, 0, Math.max(0, from - 1));
        if (end <= 1 || end <= from) {
            return "";
        }
        return text.substring(start, index(text, start, end - Math.max(1, from)));
    }

    /// The first or last `count` characters; for a negative count, all but `-count` at the other end.
    public static String end(String text, long count, boolean left) {
        long characters = text.codePointCount(0, text.length());
        long wanted = count >= 0 ? Math.min(count, characters) : Math.max(0, characters + count);
        return left ? substring(text, 1, wanted) : substring(text, characters - wanted + 1, wanted);
    }

    /// Removes characters contained in `characters` from the ends.
    public static String trim(String text, String characters, boolean left, boolean right) {
        int start = 0;
        int end = text.length();
        while (left && start < end && isAmong(text.codePointAt(start), characters)) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (right && end > start && isAmong(text.codePointBefore(end), characters)) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }

    private static boolean isAmong(int character, String characters) {
        if (characters.length() > POLL_CHARS) {
            Cancellation.pollRunning();
        }
        return characters.indexOf(character) >= 0;
    }

    /// Length of `text` in UTF-8, in bytes.
    public static long utf8Length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += Character.isSurrogate(c) ? 1 : 3;
            }
        }
        return bytes;
    }

    /// The index `characters` characters after index `start`, at most the end of the text.
    private static int index(String text, int start, long characters) {
        int index = start;
        for (long i = 0; i < characters && index < text.length(); i++) {
            index += Character.charCount(text.codePointAt(index));
        }
        return index;
    }
}
