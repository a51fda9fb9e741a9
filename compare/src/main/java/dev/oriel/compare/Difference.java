package dev.oriel.compare;

/// What one thing costs A and B per operation, and what that comes to.
///
/// @param costA the mean of A's runs
/// @param costB the mean of B's runs
/// @param share the difference as a share of all that an operation of A costs
/// @param change what the runs say of it; among many things compared at once, no more of these are
///     wrong than the false discovery rate allows
/// @param morePairs how many pairs more would tell what is unknown, with a probability of 80 %, if
///     the ratio and the spread seen so far are true; 0 where it is told or was not judged
public record Difference(double costA, double costB, double share, Change change, int morePairs) {
    /// A difference of less than this share of the operation is none to anybody.
    public static final double SHARE_MIN = 0.005;

    /// B's cost less A's.
    public double delta() {
        return costB - costA;
    }

    /// Whether B differs from A beyond chance, and by something that counts.
    public boolean matters() {
        return change.differs() && share >= SHARE_MIN;
    }
}
