package dev.oriel.compare.pairs;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Handles each message in a virtual thread of its own. Changed: its decoding takes half as long again.
public final class Messages {
    private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
    private static int steps = 30_000;

    private Messages() {}

    public static void main(String[] words) {
        steps = Work.isChanged(words) ? steps * 3 / 2 : steps;
        Work.run(words, Messages::accept);
    }

    static long accept(long seed) {
        return Work.get(THREADS.submit(() -> handle(seed)));
    }

    private static long handle(long message) {
        return decode(message) + apply(message);
    }

    private static long decode(long message) {
        long sum = message;
        for (int i = 0; i < steps; i++) {
            sum = sum * 31 + (sum >>> 11) + i;
        }
        return sum;
    }

    private static long apply(long message) {
        long sum = message;
        for (int i = 0; i < 40_000; i++) {
            sum = sum * 17 + (sum >>> 13) + i;
        }
        return sum;
    }
}
