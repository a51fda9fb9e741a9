package dev.oriel.compare.pairs;

import java.util.Map;
import java.util.TreeMap;

/// Looks words up in a sorted map. Changed: its order ignores case.
public final class Lexicon {
    private static boolean changed;

    private Lexicon() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Map<String, Integer> lexicon = new TreeMap<>(Lexicon::order);
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

    private static int order(String left, String right) {
        return changed ? left.compareToIgnoreCase(right) : left.compareTo(right);
    }

    private static long write(int word) {
        return Work.steps(word, 300);
    }
}
