package dev.oriel.compare.pairs;

/// Makes a histogram. Changed: a very short method, called for each value, computes its bucket by a logarithm.
public final class Buckets {
    private static final int[] VALUES = Work.numbers(1_000);
    private static boolean changed;

    private Buckets() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Buckets::histogram);
    }

    static long histogram(long seed) {
        int[] counts = new int[64];
        for (int value : VALUES) {
            counts[bucket(value)]++;
        }
        return counts[3] + smooth(seed);
    }

    private static int bucket(int value) {
        return changed
                ? (int) (Math.log(value + 1.0) * 1.4427)
                : 32 - Integer.numberOfLeadingZeros(value);
    }

    private static long smooth(long seed) {
        return Work.steps(seed, 20_000);
    }
}
