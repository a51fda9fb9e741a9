package dev.oriel.profiler;

/// What a [Sample] tells of, and the unit of its weight.
public enum SampleKind {
    /// A thread was running Java code. Weight: 1. The JVM looks at a few threads at each tick, so
    /// the numbers are shares of the running time, not processor seconds.
    CPU("CPU", "samples"),
    /// A thread was in native code, running or waiting: the JVM cannot tell which. Weight: 1.
    NATIVE("In native code", "samples"),
    /// Memory was allocated. Weight: bytes, of which the sample is representative.
    ALLOCATION("Allocation", "bytes"),
    /// A file was forced to the disk. Weight: nanoseconds; every force is there.
    FILE_FORCE("File force", "ns"),
    /// A file was written for at least a millisecond. Weight: nanoseconds.
    FILE_WRITE("File write", "ns"),
    /// A file was read for at least a millisecond. Weight: nanoseconds.
    FILE_READ("File read", "ns"),
    /// A thread waited for a monitor for at least a millisecond. Weight: nanoseconds.
    MONITOR("Monitor wait", "ns");

    private final String title;
    private final String unit;

    SampleKind(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /// What reports call it.
    public String title() {
        return title;
    }

    /// The unit of the weight: `samples`, `bytes` or `ns`.
    public String unit() {
        return unit;
    }
}
