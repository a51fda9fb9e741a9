package dev.oriel.compare;

/// The cost of one thing in A and B per operation, and their difference.
///
/// @param costA the mean of A's runs
/// @param costB the mean of B's runs
/// @param share the difference as a share of the whole cost of an operation of A
/// @param change the verdict of the runs; among many comparisons at once, no more verdicts are
///     wrong than the false discovery rate allows
/// @param morePairs number of further pairs that would settle an unknown verdict with a probability of
///     80 %, given the ratio and the spread seen so far. 0 if it is settled or was not tested
public record Difference(double costA, double costB, double share, Change change, int morePairs) {
    /// Share of the operation's cost below which a difference does not matter.
    public static final double SHARE_MIN = 0.005;

    /// B's cost less A's.
    public double delta() {
        return costB - costA;
    }

    /// Whether B differs from A beyond chance, and by an amount that matters.
    public boolean matters() {
        return change.differs() && share >= SHARE_MIN;
    }
}
