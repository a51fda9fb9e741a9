package dev.oriel.compare.pairs;

/// Hashes blocks. Changed: the JVM is told not to inline `mix`, as it would not if the method grew past its limit.
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
        long hash = seed;
        for (int each : BLOCK) {
            hash = mix(hash, each);
        }
        return hash;
    }

    private static long mix(long hash, int number) {
        long mixed = hash * 31 + number;
        return mixed ^ mixed >>> 15;
    }

    private static long finish(long seed) {
        return Work.steps(seed, 8_000);
    }
}
