package dev.oriel.compare;

import java.util.List;

/// Timing of the calls of a method in a run; of several paths the worst counts.
enum Timing {
    /// There were no calls.
    ABSENT,
    /// A call lasts much longer than its recording.
    TIMED,
    /// The calls are too short: their recording drowns their time.
    SHORT,
    /// The calls were counted without a time, which is part of the caller's.
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
