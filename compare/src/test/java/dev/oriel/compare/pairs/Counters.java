package dev.oriel.compare.pairs;

import java.util.concurrent.locks.ReentrantLock;

/// Three threads count visits. Changed: the line is formatted while the lock is held, and no longer before.
public final class Counters {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static boolean changed;
    private static long visits;

    private Counters() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.threads(words, 3, Counters::visit);
    }

    static long visit(long seed) {
        return page(seed) + count(seed);
    }

    private static long page(long seed) {
        return Work.steps(seed, 30_000);
    }

    private static long count(long seed) {
        long line = changed ? 0 : format(seed);
        LOCK.lock();
        try {
            line += changed ? format(seed) : 0;
            visits += line & 1;
            return visits;
        } finally {
            LOCK.unlock();
        }
    }

    private static long format(long seed) {
        return Work.steps(seed, 60_000);
    }
}
