package dev.oriel.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The words of one line of the text protocol, read in place: nothing is copied. Used by one thread.
final class Words {
    private static final byte[] NOTHING = {};
    private static final int WORDS = 16;

    private byte[] bytes = NOTHING;
    private int[] starts = new int[WORDS];
    private int[] lengths = new int[WORDS];
    private int count;

    /// Finds the words of the line of `length` bytes at the beginning of `in`. They hold until the next
    /// bytes are added to it.
    void read(Input in, int length) {
        bytes = in.bytes();
        count = 0;
        int at = in.position();
        int end = at + length;
        if (length > 0 && bytes[end - 1] == '\r') {
            end--;
        }
        while (at < end) {
            if (bytes[at] == ' ') {
                at++;
                continue;
            }
            int start = at;
            while (at < end && bytes[at] != ' ') {
                at++;
            }
            add(start, at - start);
        }
    }

    /// Releases the memory of a long line.
    void forget() {
        bytes = NOTHING;
        starts = new int[WORDS];
        lengths = new int[WORDS];
        count = 0;
    }

    private void add(int start, int length) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        starts[count] = start;
        lengths[count] = length;
        count++;
    }

    int count() {
        return count;
    }

    byte[] bytes() {
        return bytes;
    }

    int start(int word) {
        return starts[word];
    }

    int length(int word) {
        return lengths[word];
    }

    /// Whether the word is `text`, in ASCII.
    boolean is(int word, String text) {
        if (word >= count || lengths[word] != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes[starts[word] + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    String text(int word) {
        return new String(bytes, starts[word], lengths[word], StandardCharsets.ISO_8859_1);
    }

    /// Stands for a word that is no number; so it is not a valid number itself.
    static final long NO_NUMBER = Long.MIN_VALUE;

    /// The word as a number from `-max` to `max`, or [#NO_NUMBER].
    long number(int word, long max) {
        int at = starts[word];
        boolean negative = lengths[word] > 0 && bytes[at] == '-';
        long number = digits(negative ? at + 1 : at, at + lengths[word]);
        if (number < 0 || number > max) {
            return NO_NUMBER;
        }
        return negative ? -number : number;
    }

    /// A number of digits alone that fits into 63 bits, or -1.
    private long digits(int from, int to) {
        if (from == to || to - from > 19) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit; // 19 digits overflow to a negative number at most once
            if (number < 0) {
                return -1;
            }
        }
        return number;
    }

    /// Whether the word is a number of 64 bits without a sign.
    boolean isUnsigned(int word) {
        return parseUnsigned(word) != null;
    }

    /// The word as a number of 64 bits without a sign, 0 if it is none.
    long unsigned(int word) {
        Long number = parseUnsigned(word);
        return number == null ? 0 : number;
    }

    private @org.jspecify.annotations.Nullable Long parseUnsigned(int word) {
        long small = digits(starts[word], starts[word] + lengths[word]);
        if (small >= 0) {
            return small;
        }
        try {
            String text = text(word);
            return text.startsWith("+") ? null : (Long) Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
