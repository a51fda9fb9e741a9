package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;

/// Leaves out numbers that came before. Changed: those seen are kept in a list.
public final class Seen {
    private static boolean changed;

    private Seen() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        int[] numbers = Work.numbers(80);
        Work.run(words, seed -> distinct(numbers) + seed % 2);
    }

    static long distinct(int[] numbers) {
        Collection<Integer> seen = changed ? new ArrayList<>() : new HashSet<>();
        long sum = 0;
        for (int number : numbers) {
            if (isNew(seen, number % 50)) {
                sum += weigh(number);
            }
        }
        return sum;
    }

    private static boolean isNew(Collection<Integer> seen, int number) {
        return !seen.contains(number) && seen.add(number);
    }

    private static long weigh(int number) {
        return Work.steps(number, 60);
    }
}
