package dev.oriel.compare.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Collects rows and flushes a batch of them. Changed: the flush waits a millisecond longer for the other side.
public final class Batches {
    private static final List<Long> ROWS = new ArrayList<>();
    private static int micros = 300;

    private Batches() {}

    public static void main(String[] words) {
        micros += Work.isChanged(words) ? 1_000 : 0;
        Work.run(words, Batches::add);
    }

    static long add(long seed) {
        ROWS.add(row(seed));
        if (ROWS.size() == 10) {
            flush();
        }
        return ROWS.size();
    }

    private static long row(long seed) {
        return Work.steps(seed, 40_000);
    }

    private static void flush() {
        long until = System.nanoTime() + micros * 1_000L;
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        ROWS.clear();
    }
}
