package dev.oriel.profiler;

/// The subject of a [Sample], and the unit of its weight.
public enum SampleKind {
    /// A thread was running Java code. Weight: 1. The JVM looks at a few threads at each tick, so
    /// the numbers are shares of the running time, not processor seconds.
    CPU("CPU", "samples", "Threads seen running Java code: shares, not seconds."),
    /// A thread had used up a period of processor time. Weight: nanoseconds of processor time.
    CPU_TIME("CPU time", "ns", "Processor time, sampled by the threads' own clocks."),
    /// A thread was seen, running or not. Weight: nanoseconds of wall-clock time.
    WALL("Wall clock", "ns", "Threads running or waiting, wall-clock time."),
    /// A thread was in native code, running or waiting: the JVM cannot tell which. Weight: 1.
    NATIVE("In native code", "samples", "Threads in native code, running or waiting."),
    /// Memory was allocated. Weight: bytes, of which the sample is representative.
    ALLOCATION("Allocation", "bytes", "Bytes allocated, estimated from samples."),
    /// An object was allocated while the profile ran and still alive at its end. Weight: its bytes.
    SURVIVOR("Survivors", "bytes", "Sampled objects that were still alive at the end."),
    /// A file was forced to the disk. Weight: nanoseconds; every force is recorded.
    FILE_FORCE("File force", "ns", "Time of every force of a file to the disk."),
    /// A file was written for at least a millisecond. Weight: nanoseconds.
    FILE_WRITE("File write", "ns", "Time of file writes of a millisecond or more."),
    /// A file was read for at least a millisecond. Weight: nanoseconds.
    FILE_READ("File read", "ns", "Time of file reads of a millisecond or more."),
    /// A socket was written to for at least a millisecond. Weight: nanoseconds.
    SOCKET_WRITE("Socket write", "ns", "Time of socket writes of a millisecond or more."),
    /// A thread waited for a socket for at least a millisecond. Weight: nanoseconds.
    SOCKET_READ("Socket read", "ns", "Time of socket reads of a millisecond or more."),
    /// A thread waited to enter a monitor for at least a millisecond. Weight: nanoseconds.
    MONITOR("Monitor wait", "ns", "Time of waits for a monitor of a millisecond or more."),
    /// A thread was parked for at least a millisecond: by a lock, a queue, a pool. Weight:
    /// nanoseconds.
    PARK("Park", "ns", "Time parked for a millisecond or more: locks, queues, idle pools."),
    /// A thread waited in `Object.wait` or slept for at least a millisecond. Weight: nanoseconds.
    WAIT("Wait and sleep", "ns", "Time in Object.wait and Thread.sleep, a millisecond or more."),
    /// All threads stood still for the garbage collector. Weight: nanoseconds.
    GC("GC pause", "ns", "Time in which the garbage collector stopped all threads."),
    /// Measurements of another tool in a unit of its own. Weight: in that unit.
    OTHER("Other", "samples", "As the tool that recorded it measured it.");

    private final String title;
    private final String unit;
    private final String note;

    SampleKind(String title, String unit, String note) {
        this.title = title;
        this.unit = unit;
        this.note = note;
    }

    /// Title of the kind in reports.
    public String title() {
        return title;
    }

    /// The unit of the weight: `samples`, `bytes` or `ns`.
    public String unit() {
        return unit;
    }

    /// A sentence on the meaning of the weight.
    public String note() {
        return note;
    }

    /// Plural name of the [Sample#detail()] of its samples; empty if they have none.
    public String objects() {
        return switch (this) {
            case ALLOCATION, SURVIVOR -> "classes";
            case MONITOR, PARK, WAIT -> "locks";
            case FILE_FORCE, FILE_WRITE, FILE_READ -> "files";
            case SOCKET_WRITE, SOCKET_READ -> "addresses";
            case GC -> "collectors";
            case CPU, CPU_TIME, WALL, NATIVE, OTHER -> "";
        };
    }
}
