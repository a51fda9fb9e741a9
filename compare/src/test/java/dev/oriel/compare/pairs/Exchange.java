package dev.oriel.compare.pairs;

/// Packs blocks. Changed: encoding is a third faster, but compression takes half as long again.
public final class Exchange {
    private static int encoding = 30_000;
    private static int compression = 40_000;

    private Exchange() {}

    public static void main(String[] words) {
        if (Work.isChanged(words)) {
            encoding = encoding * 2 / 3;
            compression = compression * 3 / 2;
        }
        Work.run(words, Exchange::pack);
    }

    static long pack(long seed) {
        return compress(encode(seed)) + encrypt(seed);
    }

    private static long encode(long seed) {
        long sum = seed;
        for (int i = 0; i < encoding; i++) {
            sum = sum * 31 + (sum >>> 11) + i;
        }
        return sum;
    }

    private static long compress(long seed) {
        long sum = seed;
        for (int i = 0; i < compression; i++) {
            sum = sum * 17 + (sum >>> 13) + i;
        }
        return sum;
    }

    private static long encrypt(long seed) {
        return Work.steps(seed, 30_000);
    }
}
