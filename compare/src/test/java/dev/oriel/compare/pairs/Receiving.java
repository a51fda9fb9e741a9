package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Virtual threads receive messages. Changed: the checksum of each is computed twice.
public final class Receiving {
    private static final int THREADS = 8;
    private static int times = 1;

    private Receiving() {}

    public static void main(String[] words) throws Exception {
        times = Work.isChanged(words) ? 2 : 1;
        long sum = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long seed = i;
                all.add(threads.submit(() -> serve(Work.operations(words) / THREADS, seed)));
            }
            for (Future<Long> each : all) {
                sum += each.get();
            }
        }
        System.out.println("@oriel check " + (sum == 0 ? "nothing" : "done"));
    }

    private static long serve(int messages, long seed) {
        long sum = seed;
        for (int i = 0; i < messages; i++) {
            sum += receive(sum);
        }
        return sum;
    }

    static long receive(long seed) {
        long message = decode(seed);
        long sum = 0;
        for (int i = 0; i < times; i++) {
            sum = checksum(message);
        }
        return sum + message;
    }

    private static long decode(long seed) {
        return Work.steps(seed, 40_000);
    }

    private static long checksum(long message) {
        return Work.steps(message, 5_000);
    }
}
