package dev.oriel.testkit;

import java.util.SplittableRandom;

/// Takes the decisions of a test: at random ([#skewed]), or all of them in turn ([Exhaustive]).
///
/// If alternatives have an order, 0 is the oldest or least and `alternatives - 1` the newest or greatest.
@FunctionalInterface
public interface Chooser {
    /// One of 0 .. `alternatives - 1`; `alternatives` is at least 1.
    int choose(int alternatives);

    /// Random decisions with a bias that is itself drawn once: mostly the newest, mostly the
    /// oldest, only these two, or evenly. A fair coin for each of a hundred sectors would never try
    /// the crash that loses exactly one of them.
    static Chooser skewed(SplittableRandom random) {
        int bias = random.nextInt(6);
        return alternatives -> {
            int newest = alternatives - 1;
            return switch (bias) {
                case 0 -> random.nextInt(32) == 0 ? random.nextInt(alternatives) : newest;
                case 1 -> random.nextInt(32) == 0 ? random.nextInt(alternatives) : 0;
                case 2 -> random.nextInt(4) == 0 ? random.nextInt(alternatives) : newest;
                case 3 -> random.nextBoolean() ? newest : 0;
                default -> random.nextInt(alternatives);
            };
        };
    }
}
