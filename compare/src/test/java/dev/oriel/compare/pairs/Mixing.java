package dev.oriel.compare.pairs;

/// Hashes blocks. Changed: the JVM is told not to inline `mix`, as it does not if a method grows past its limit. The
/// loop around it is then not vectorized.
public final class Mixing {
    private static final int[] BLOCK = Work.numbers(4_096);

    private Mixing() {}

    public static void main(String[] words) {
        Work.run(words, Mixing::digest);
    }

    static long digest(long seed) {
        return hash(seed) + finish(seed);
    }

    private static long hash(long seed) {
        int sum = (int) seed;
        for (int each : BLOCK) {
            sum += mix(each);
        }
        return sum;
    }

    private static int mix(int number) {
        return number * 31 ^ number >>> 15;
    }

    private static long finish(long seed) {
        return Work.steps(seed, 8_000);
    }
}
