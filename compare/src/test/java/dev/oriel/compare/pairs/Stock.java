package dev.oriel.compare.pairs;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Four threads read a stock. Changed: a reader takes the lock of writers.
public final class Stock {
    private static final ReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static final int[] COUNTS = Work.numbers(4_096);
    private static boolean changed;

    private Stock() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.threads(words, 4, Stock::ask);
    }

    static long ask(long seed) {
        return available((int) seed & 255) + answer(seed);
    }

    private static long available(int first) {
        Lock lock = changed ? LOCK.writeLock() : LOCK.readLock();
        lock.lock();
        try {
            long sum = 0;
            for (int round = 0; round < 40; round++) {
                for (int i = first; i < COUNTS.length; i++) {
                    sum = sum * 31 + COUNTS[i];
                }
            }
            return sum;
        } finally {
            lock.unlock();
        }
    }

    private static long answer(long seed) {
        return Work.steps(seed, 30_000);
    }
}
