package dev.oriel.testkit;

import java.util.SplittableRandom;

/// Where the randomness of a test comes from: printed, so that `-Dseed=` replays a failure.
public final class Seed {
    private Seed() {}

    /// The seed of this run: `-Dseed=` where it is given, else `usual`. Prints it with the name of
    /// the test.
    public static SplittableRandom of(String test, long usual) {
        String given = System.getProperty("seed", "");
        long seed = given.isEmpty() ? usual : Long.parseLong(given);
        System.out.println(test + " -Dseed=" + seed);
        return new SplittableRandom(seed);
    }
}
