package dev.oriel.bench.results;

import dev.oriel.compare.Interval;

/// The verdict of a comparison with the best peer.
public enum Verdict {
    /// The interval of the ratio lies above 1.
    AHEAD("ahead"),
    /// The interval lies within 2 % of 1.
    SAME("same"),
    /// The interval lies below 1.
    BEHIND("behind"),
    /// The interval covers 1 and reaches beyond 2 %: more rounds are needed.
    UNKNOWN("unknown"),
    /// There is no interval.
    ONE_RUN("one run"),
    /// No peer was measured, or none of ours, or the figure has no better or worse.
    ALONE("not compared");

    private static final double SAME_LOW = 0.98;
    private static final double SAME_HIGH = 1.02;
    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    /// The verdict's word in reports.
    public String word() {
        return word;
    }

    /// The verdict of a ratio that is above 1 if we are better.
    static Verdict of(Interval ratio) {
        if (!ratio.closed()) {
            return ONE_RUN;
        }
        if (ratio.low() >= SAME_LOW && ratio.high() <= SAME_HIGH) {
            return SAME;
        }
        if (ratio.low() > 1) {
            return AHEAD;
        }
        return ratio.high() < 1 ? BEHIND : UNKNOWN;
    }
}
