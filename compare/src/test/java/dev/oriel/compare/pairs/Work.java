package dev.oriel.compare.pairs;

import java.util.function.LongUnaryOperator;

/// What programs of known changes are made of. The first argument of each is how many operations it
/// does, the second, `changed`, that it does them in the changed way.
final class Work {
    private Work() {}

    /// How many operations a run does.
    static int operations(String[] words) {
        return Integer.parseInt(words[0]);
    }

    static boolean isChanged(String[] words) {
        return words.length > 1 && words[1].equals("changed");
    }

    /// Each step needs the one before it.
    static long steps(long seed, int count) {
        long x = seed | 1;
        for (int i = 0; i < count; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    /// Does the operations one after the other, and says that they were done.
    static void run(String[] words, LongUnaryOperator operation) {
        long sum = 1;
        for (int i = 0; i < operations(words); i++) {
            sum += operation.applyAsLong(sum + i);
        }
        System.out.println("@oriel check " + (sum == 0 ? "nothing" : "done"));
    }
}
