package dev.oriel.compare.pairs;

/// Books payments and keeps a log that is off. Changed: the message is made before it is seen that the log is off.
public final class Tracing {
    private static final boolean[] LOG = {false};
    private static boolean changed;

    private Tracing() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Tracing::pay);
    }

    static long pay(long seed) {
        long sum = seed;
        for (int i = 0; i < 20; i++) {
            sum = book(check(sum), i);
        }
        return sum;
    }

    private static long check(long amount) {
        long left = amount;
        for (int i = 0; i < 400; i++) {
            left = left * 97 + (left >>> 9) + i;
        }
        return left;
    }

    private static long book(long amount, int account) {
        if (changed) {
            debug(String.format("booked %d on %d", amount, account));
        }
        long sum = amount;
        for (int i = 0; i < 800; i++) {
            sum = sum * 31 + (sum >>> 11) + i;
        }
        return sum;
    }

    private static void debug(String message) {
        if (LOG[0]) {
            System.out.println(message);
        }
    }
}
