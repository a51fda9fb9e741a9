package dev.oriel.compare;

/// The verdict of a comparison of costs.
public enum Verdict {
    /// The whole interval lies above the zone of equivalence.
    SLOWER,
    /// The whole interval lies below the zone of equivalence.
    FASTER,
    /// The whole interval lies inside the zone of equivalence.
    SAME,
    /// The interval is too wide for a verdict.
    UNKNOWN,
    /// Only B has a cost.
    NEW,
    /// Only A has a cost.
    GONE
}
