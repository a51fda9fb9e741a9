package dev.oriel.compare.pairs;

import java.util.concurrent.Semaphore;

/// Eight virtual threads share a service that admits a few. Changed: it admits two instead of three.
public final class Permits {
    private static Semaphore permits = new Semaphore(3);

    private Permits() {}

    public static void main(String[] words) {
        permits = new Semaphore(Work.isChanged(words) ? 2 : 3);
        Work.virtual(words, 8, Permits::request);
    }

    static long request(long seed) {
        enter();
        try {
            return call(seed);
        } finally {
            permits.release();
        }
    }

    private static void enter() {
        permits.acquireUninterruptibly();
    }

    private static long call(long seed) {
        Work.sleep(1);
        return Work.steps(seed, 20_000);
    }
}
