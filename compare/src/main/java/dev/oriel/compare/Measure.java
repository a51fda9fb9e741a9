package dev.oriel.compare;

import java.util.List;

/// A measured cost of a run. Measures are never added to each other: they come from different clocks.
public enum Measure {
    /// Wall-clock time within recorded calls, every call counted and timed.
    TIME("time in calls", "ns", "slower", "faster"),
    /// Processor time within recorded calls: waits, for a processor too, are no part of it.
    WORK("processor time in calls", "ns", "slower", "faster"),
    /// Processor time of the process; per method, by samples.
    CPU("processor time", "ns", "slower", "faster"),
    /// Heap bytes allocated by the process; per method, by samples.
    BYTES("allocation", "B", "more", "less"),
    /// Time in which threads waited for others that held a lock.
    BLOCKED("time blocked by locks", "ns", "more", "less"),
    /// Time asleep, waiting for other threads, or reading and writing files and sockets.
    WAITING("time waiting", "ns", "more", "less"),
    /// Time in which runnable threads had no processor: a remark on the machine, without influence on the verdict.
    RUN_QUEUE("waiting for a processor", "ns", "more", "less"),
    /// Wall-clock time of the run.
    WALL("wall time", "ns", "slower", "faster"),
    /// The share of the samples of processor time, for recordings that do not tell the total.
    CPU_SHARE("share of processor time", "%", "more", "less"),
    /// The share of the samples of allocation, for such recordings.
    BYTES_SHARE("share of allocation", "%", "more", "less");

    /// The measures of an operation that is a call, most important first.
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

    /// Title of the measure in reports.
    public String title() {
        return title;
    }

    /// The unit: `ns`, `B` or `%`.
    public String unit() {
        return unit;
    }

    /// Whether it is the time in which threads did nothing.
    boolean isWait() {
        return this == BLOCKED || this == WAITING || this == RUN_QUEUE;
    }

    /// The verb for a method's effect on the operation.
    String verb() {
        return switch (this) {
            case BYTES -> " allocates ";
            case BLOCKED -> " is blocked by locks for ";
            case WAITING, RUN_QUEUE -> " waits for ";
            case TIME, WORK, CPU, WALL -> " costs ";
            case CPU_SHARE, BYTES_SHARE -> " has a share of ";
        };
    }

    /// The unit of reference of a cost.
    String each() {
        return unit.equals("%") ? "" : " per operation";
    }

    /// The word for a verdict on it in reports.
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
