package dev.oriel.compare.pairs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Asks two services at once and waits for both. Changed: the slower one, in a thread of its own, takes longer.
public final class Quotes {
    private static final ExecutorService POOL =
            Executors.newFixedThreadPool(
                    2,
                    task -> {
                        Thread thread = new Thread(task, "quotes");
                        thread.setDaemon(true);
                        return thread;
                    });
    private static int steps = 100_000;

    private Quotes() {}

    public static void main(String[] words) {
        steps = Work.isChanged(words) ? steps * 5 / 4 : steps;
        Work.run(words, Quotes::quote);
    }

    static long quote(long seed) {
        CompletableFuture<Long> rate = CompletableFuture.supplyAsync(() -> rate(seed), POOL);
        CompletableFuture<Long> risk = CompletableFuture.supplyAsync(() -> risk(seed), POOL);
        return rate.thenCombine(risk, Long::sum).join();
    }

    private static long rate(long seed) {
        long sum = seed;
        for (int i = 0; i < steps; i++) {
            sum = sum * 31 + (sum >>> 11) + i;
        }
        return sum;
    }

    private static long risk(long seed) {
        long sum = seed;
        for (int i = 0; i < 30_000; i++) {
            sum = sum * 17 + (sum >>> 13) + i;
        }
        return sum;
    }
}
