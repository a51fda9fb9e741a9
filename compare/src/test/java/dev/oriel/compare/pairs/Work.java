package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/// Frame of the programs of known changes. The first argument of each is its number of operations. The second,
/// `changed`, makes the change; `changed:5` makes it by five percent of an operation.
final class Work {
    private static final String CHANGED = "changed";

    private Work() {}

    /// Number of operations of a run.
    static int operations(String[] words) {
        return Integer.parseInt(words[0]);
    }

    static boolean isChanged(String[] words) {
        return words.length > 1 && words[1].startsWith(CHANGED);
    }

    /// Percent of an operation that the change adds, 0 without a change.
    static int percent(String[] words) {
        return isChanged(words) ? Integer.parseInt(words[1].substring(CHANGED.length() + 1)) : 0;
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

    /// Does the operations one after the other, and reports their number.
    static void run(String[] words, LongUnaryOperator operation) {
        long sum = 1;
        for (int i = 0; i < operations(words); i++) {
            sum += operation.applyAsLong(sum + i);
        }
        done(words, sum);
    }

    /// Shares the operations out to threads of the platform.
    static void threads(String[] words, int count, LongUnaryOperator operation) {
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            share(words, threads, count, operation);
        }
    }

    /// Shares the operations out to virtual threads.
    static void virtual(String[] words, int count, LongUnaryOperator operation) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            share(words, threads, count, operation);
        }
    }

    private static void share(
            String[] words, ExecutorService threads, int count, LongUnaryOperator operation) {
        AtomicLong sum = new AtomicLong(1);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int first = i;
            all.add(
                    threads.submit(() -> {
                        for (int k = first; k < operations(words); k += count) {
                            sum.addAndGet(operation.applyAsLong(k));
                        }
                    }));
        }
        for (Future<?> each : all) {
            get(each);
        }
        done(words, sum.get());
    }

    static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Numbers in no order, the same in each run.
    static int[] numbers(int count) {
        int[] numbers = new int[count];
        long x = 88172645463325252L;
        for (int i = 0; i < count; i++) {
            x = steps(x, 1);
            numbers[i] = (int) (x >>> 33);
        }
        return numbers;
    }

    /// Says that the operations are done, in a way that keeps their result alive.
    private static void done(String[] words, long sum) {
        System.out.println("@oriel operations " + operations(words));
        System.out.println("@oriel check " + (sum == 0 ? "nothing" : "done"));
    }
}
