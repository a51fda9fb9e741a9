package dev.oriel.compare.pairs;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Two threads pass jobs through a queue. Changed: its length, which the queue has to count, is checked at each offer.
public final class Sizes {
    private static final ConcurrentLinkedQueue<Long> QUEUE = new ConcurrentLinkedQueue<>();
    private static boolean changed;

    private Sizes() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        for (long i = 0; i < 60; i++) {
            QUEUE.add(i);
        }
        Work.threads(words, 2, Sizes::turn);
    }

    static long turn(long seed) {
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            offer(seed + i);
            sum += work(take());
        }
        return sum;
    }

    private static void offer(long job) {
        if (!changed || QUEUE.size() < 10_000) {
            QUEUE.add(job);
        }
    }

    private static long take() {
        Long job = QUEUE.poll();
        return job == null ? 0 : job;
    }

    private static long work(long job) {
        return Work.steps(job, 400);
    }
}
