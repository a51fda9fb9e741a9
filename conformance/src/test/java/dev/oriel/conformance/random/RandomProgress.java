package dev.oriel.conformance.random;

import java.util.concurrent.TimeUnit;

/// Says every half minute how far a run of random queries has come, and what it has found so far. Of a
/// short run it says nothing.
final class RandomProgress {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String test;
    private final int all;
    private final long started = System.nanoTime();
    private long said = started;

    RandomProgress(String test, int all) {
        this.test = test;
        this.all = all;
    }

    double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }

    /// So many queries are done, and so many differences were found.
    void done(int queries, int differences) {
        if (System.nanoTime() - said < EVERY_NANOS || queries == 0) {
            return;
        }
        said = System.nanoTime();
        System.out.printf(
                "%s: %d of %d queries, %d differences, %.0f s, about %.0f s to go%n",
                test, queries, all, differences, seconds(), seconds() * (all - queries) / queries);
    }

    /// A difference was found, while others are still looked for.
    void found(String difference) {
        System.out.printf("%s: a difference%n%s%n%n", test, difference);
    }
}
