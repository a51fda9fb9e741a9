package dev.oriel.compare.pairs;

/// Makes 500 short-lived arrays an operation. Changed: each is 64 bytes longer.
public final class Making {
    private static int length = 48;
    private static byte[] kept = new byte[0];

    private Making() {}

    public static void main(String[] words) {
        length += Work.isChanged(words) ? 64 : 0;
        Work.run(words, Making::operation);
    }

    static long operation(long seed) {
        long sum = 0;
        for (int i = 0; i < 500; i++) {
            sum += make(i).length;
        }
        return sum + finish(seed);
    }

    private static byte[] make(int i) {
        byte[] made = new byte[length];
        made[0] = (byte) i;
        kept = made;
        return made;
    }

    private static long finish(long seed) {
        return Work.steps(seed, 2_000) + kept.length;
    }
}
