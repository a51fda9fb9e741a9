package dev.oriel.graph.memory;

import dev.oriel.store.LimitException;

/// Arithmetic of path counts. They grow by a factor with each step, so an overflow is refused instead of giving a
/// wrong number.
public final class PathCounts {
    private PathCounts() {}

    /// The sum of two counts.
    ///
    /// @throws LimitException if that is more than a long holds
    public static long sum(long one, long other) {
        long sum = one + other;
        if (sum < 0) { // overflow: neither of them is negative
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
