package dev.oriel.graph.memory;

import dev.oriel.store.LimitException;

/// Arithmetic of how many ways lead somewhere: such counts grow by a factor with each step, and what a long
/// cannot hold is refused instead of being told wrongly.
public final class PathCounts {
    private PathCounts() {}

    /// The sum of two counts.
    ///
    /// @throws LimitException if that is more than a long holds
    public static long sum(long one, long other) {
        long sum = one + other;
        if (sum < 0) { // neither of them is
            throw tooMany();
        }
        return sum;
    }

    /// The product of two counts.
    ///
    /// @throws LimitException if that is more than a long holds
    public static long product(long one, long other) {
        if (Math.multiplyHigh(one, other) != 0 || one * other < 0) {
            throw tooMany();
        }
        return one * other;
    }

    private static LimitException tooMany() {
        return new LimitException(
                "There are more paths than can be counted; ask for fewer hops, or for distinct vertices",
                "max=" + Long.MAX_VALUE);
    }
}
