package dev.oriel.testkit;

import java.util.SplittableRandom;

/// The source of a test's randomness: printed, so that `-Dseed=` replays a failure.
public final class Seed {
    private Seed() {}

    /// The seed of this run: `-Dseed=` if it is given, else `usual`. Prints it with the name of the test.
    public static SplittableRandom of(String test, long usual) {
        String given = System.getProperty("seed", "");
        long seed = given.isEmpty() ? usual : Long.parseLong(given);
        System.out.println(test + " -Dseed=" + seed);
        return new SplittableRandom(seed);
    }
}
