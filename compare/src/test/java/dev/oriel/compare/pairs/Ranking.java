package dev.oriel.compare.pairs;

import java.util.stream.IntStream;

/// Ranks documents by a parallel stream. Changed: the score of each takes a third longer.
public final class Ranking {
    private static int steps = 6_000;

    private Ranking() {}

    public static void main(String[] words) {
        steps = Work.isChanged(words) ? steps * 4 / 3 : steps;
        Work.run(words, Ranking::rank);
    }

    static long rank(long seed) {
        return IntStream.range(0, 64)
                .parallel()
                .mapToLong(i -> words(i) + score(seed + i))
                .max()
                .orElse(0);
    }

    private static long words(int document) {
        return Work.steps(document, 3_000);
    }

    private static long score(long document) {
        long sum = document;
        for (int i = 0; i < steps; i++) {
            sum = sum * 31 + (sum >>> 11) + i;
        }
        return sum;
    }
}
