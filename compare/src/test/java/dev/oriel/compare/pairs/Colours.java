package dev.oriel.compare.pairs;

import java.util.HashMap;
import java.util.Map;

/// Counts the colours of pictures. Changed: `add` counts boxed numbers in a map instead of in an array.
public final class Colours {
    private static final int COLOURS = 256;
    private static boolean changed;

    private final int[] counts = new int[COLOURS];
    private final Map<Integer, Integer> boxed = new HashMap<>();

    private Colours() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        int[] points = Work.numbers(8_192);
        Work.run(words, seed -> picture(points, (int) (seed & 4_095)));
    }

    static long picture(int[] points, int first) {
        Colours colours = new Colours();
        long sum = 0;
        for (int i = first; i < first + 2_000; i++) {
            colours.add(reduce(points[i]));
            sum = blur(sum, points[i]);
        }
        return sum + (changed ? colours.boxed.size() : colours.counts[0]);
    }

    private static int reduce(int point) {
        return (((point >> 23) & 15) << 4) | ((point >> 10) & 15);
    }

    private void add(int colour) {
        if (changed) {
            boxed.merge(colour, 1, Integer::sum);
        } else {
            counts[colour]++;
        }
    }

    private static long blur(long before, int point) {
        return Work.steps(before + point, 12);
    }
}
