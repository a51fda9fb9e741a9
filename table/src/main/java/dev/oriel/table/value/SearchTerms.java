package dev.oriel.table.value;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The words of a text, as in SEARCH indexes: runs of letters and digits with their marks, in compatible form
/// (NFKC) and lower case. Each occurs once, in order. Words are cut after 100 characters.
///
/// Letters, digits and marks are as the JVM defines them: with a newer Unicode it may find other words in a text,
/// and then the index is to be rebuilt.
public final class SearchTerms {
    private static final int WORD_CHARS_MAX = 100;

    private SearchTerms() {}

    /// The words of `text`; none of null.
    public static List<String> of(@Nullable String text) {
        if (text == null) {
            return List.of();
        }
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        SortedSet<String> words = new TreeSet<>();
        int start = -1;
        for (int i = 0; i <= plain.length(); ) {
            int c = i == plain.length() ? ' ' : plain.codePointAt(i);
            boolean inside = Character.isLetterOrDigit(c) || isMark(c);
            if (inside && start < 0) {
                start = i;
            } else if (!inside && start >= 0) {
                words.add(shortened(plain.substring(start, i)));
                start = -1;
            }
            i += Character.charCount(c);
        }
        return List.copyOf(words);
    }

    /// Accents above all, and vowels of Hindi, Tamil and others, some of which are spacing marks.
    private static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    private static String shortened(String word) {
        if (word.length() <= WORD_CHARS_MAX) {
            return word;
        }
        boolean pair = Character.isHighSurrogate(word.charAt(WORD_CHARS_MAX - 1));
        return word.substring(0, pair ? WORD_CHARS_MAX - 1 : WORD_CHARS_MAX);
    }
}
