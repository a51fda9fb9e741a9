package dev.oriel.compare.pairs;

import java.util.Arrays;
import java.util.Locale;

/// Sorts names. Changed: the comparison, which the JDK calls, makes lower case of both names.
public final class Sorting {
    private static final int COUNT = 64;
    private static boolean changed;

    private Sorting() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        int[] numbers = Work.numbers(COUNT);
        String[] names = new String[COUNT];
        for (int i = 0; i < COUNT; i++) {
            names[i] = Integer.toString(numbers[i], 36);
        }
        Work.run(words, seed -> sort(names) + seed % 2);
    }

    static long sort(String[] names) {
        String[] sorted = names.clone();
        Arrays.sort(sorted, Sorting::byName);
        return weigh(sorted) + sorted[0].length();
    }

    private static int byName(String left, String right) {
        return changed
                ? left.toLowerCase(Locale.ROOT).compareTo(right.toLowerCase(Locale.ROOT))
                : left.compareTo(right);
    }

    private static long weigh(String[] names) {
        long weight = 0;
        for (int round = 0; round < 20; round++) {
            for (String name : names) {
                for (int i = 0; i < name.length(); i++) {
                    weight = 31 * weight + name.charAt(i);
                }
            }
        }
        return weight;
    }
}
