package dev.oriel.compare;

import java.util.List;

/// Timing of the calls of a method in a run; of several paths the worst counts.
enum Timing {
    /// There were no calls.
    ABSENT,
    /// They last much longer than recording one.
    TIMED,
    /// Recording them drowns their time.
    SHORT,
    /// They were counted without a time, which is part of the caller's.
    COUNTED;

    static Timing of(CostNode node) {
        return node.untimed() ? COUNTED : node.tooShort() ? SHORT : TIMED;
    }

    Timing and(Timing other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /// Whether there were calls in the given runs, and all of them long enough.
    static boolean isTimed(Timing[] timings, int from, int to) {
        List<Timing> runs = List.of(timings).subList(from, to);
        return runs.contains(TIMED) && !runs.contains(SHORT);
    }
}
