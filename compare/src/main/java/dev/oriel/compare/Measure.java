package dev.oriel.compare;

import java.util.List;

/// What a run is charged for. Measures are never added to each other: they come from different
/// clocks.
public enum Measure {
    /// Wall-clock time within recorded calls, every call counted and timed.
    TIME("time in calls", "ns", "slower", "faster"),
    /// Processor time within recorded calls: what they waited for, be it a processor, is no part of it.
    WORK("processor time in calls", "ns", "slower", "faster"),
    /// Processor time of the process; per method, by samples.
    CPU("processor time", "ns", "slower", "faster"),
    /// Heap bytes allocated by the process; per method, by samples.
    BYTES("allocation", "B", "more", "less"),
    /// Time in which threads waited for others that held a lock.
    BLOCKED("time blocked by locks", "ns", "more", "less"),
    /// Time asleep, waiting for other threads, or reading and writing files and sockets.
    WAITING("time waiting", "ns", "more", "less"),
    /// Wall-clock time of the run.
    WALL("wall time", "ns", "slower", "faster"),
    /// The share of the samples of processor time, of recordings that do not say how much it was.
    CPU_SHARE("share of processor time", "%", "more", "less"),
    /// The share of the samples of allocation, of such recordings.
    BYTES_SHARE("share of allocation", "%", "more", "less");

    /// The measures of an operation that is a call, the one that matters most first.
    static final List<Measure> OF_CALLS = List.of(TIME, WORK, CPU, WALL, BYTES);

    /// The measures of an operation that is a run or a part of one.
    static final List<Measure> OF_RUNS = List.of(WALL, CPU, TIME, WORK, BYTES);

    private final String title;
    private final String unit;
    private final String more;
    private final String less;

    Measure(String title, String unit, String more, String less) {
        this.title = title;
        this.unit = unit;
        this.more = more;
        this.less = less;
    }

    /// What reports call it.
    public String title() {
        return title;
    }

    /// `ns`, `B` or `%`.
    public String unit() {
        return unit;
    }

    /// What a method does to the operation.
    String verb() {
        return switch (this) {
            case BYTES -> " allocates ";
            case BLOCKED -> " is blocked by locks for ";
            case WAITING -> " waits for ";
            case TIME, WORK, CPU, WALL -> " costs ";
            case CPU_SHARE, BYTES_SHARE -> " has a share of ";
        };
    }

    /// Of what costs are told.
    String each() {
        return unit.equals("%") ? "" : " per operation";
    }

    /// What reports say of a verdict on it.
    String word(Verdict verdict) {
        return switch (verdict) {
            case SLOWER -> more;
            case FASTER -> less;
            case SAME -> "same";
            case UNKNOWN -> "unknown";
            case NEW -> "new";
            case GONE -> "gone";
        };
    }
}
