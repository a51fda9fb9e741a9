package dev.oriel.compare.pairs;

import java.util.stream.IntStream;

/// Plans a tour of towns. Changed: the length of the tour is added up by a stream of boxed numbers, not by a loop.
public final class Touring {
    private static final int TOWNS = 60;
    private static boolean changed;

    private Touring() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        int[] places = Work.numbers(4_096);
        Work.run(words, seed -> plan(places, (int) (seed & 2_047)));
    }

    static long plan(int[] places, int first) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 40; i++) {
            turn(places, first + i, first + TOWNS - i);
            best = Math.min(best, length(places, first));
        }
        return best;
    }

    private static void turn(int[] places, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int place = places[low];
            places[low++] = places[high];
            places[high--] = place;
        }
    }

    private static long length(int[] places, int first) {
        if (changed) {
            return IntStream.range(1, TOWNS)
                    .boxed()
                    .map(town -> distance(places[first + town - 1], places[first + town]))
                    .reduce(0L, Long::sum);
        }
        long sum = 0;
        for (int town = 1; town < TOWNS; town++) {
            sum += distance(places[first + town - 1], places[first + town]);
        }
        return sum;
    }

    private static long distance(int one, int other) {
        return (long) Math.abs((one & 1_023) - (other & 1_023))
                + Math.abs((one >> 20) - (other >> 20));
    }
}
