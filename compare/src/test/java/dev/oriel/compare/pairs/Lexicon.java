package dev.oriel.compare.pairs;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/// Looks words up in a sorted map. Changed: its comparator is a lambda that ignores case.
public final class Lexicon {
    private Lexicon() {}

    public static void main(String[] words) {
        Comparator<String> order =
                Work.isChanged(words)
                        ? (left, right) -> left.compareToIgnoreCase(right)
                        : (left, right) -> left.compareTo(right);
        Map<String, Integer> lexicon = new TreeMap<>(order);
        int[] numbers = Work.numbers(500);
        String[] keys = new String[numbers.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "entry " + Integer.toString(numbers[i], 36);
            lexicon.put(keys[i], i);
        }
        Work.run(words, seed -> translate(lexicon, keys, (int) (seed & 255)));
    }

    static long translate(Map<String, Integer> lexicon, String[] keys, int first) {
        long sum = 0;
        for (int i = first; i < first + 100; i++) {
            sum += write(lookup(lexicon, keys[i]));
        }
        return sum;
    }

    private static int lookup(Map<String, Integer> lexicon, String word) {
        return lexicon.getOrDefault(word, 0);
    }

    private static long write(int word) {
        return Work.steps(word, 300);
    }
}
