package dev.oriel.profiler;

/// The JVM's count of the bytes that the current thread has allocated, for code that measures itself. A reading takes
/// some 50 ns. [#prepare()] creates the counter: loading its classes takes milliseconds, and a young program need not
/// wait for them.
public final class AllocationCounter {
    private static volatile boolean ready;

    private AllocationCounter() {}

    /// Loads the counter. Does nothing if the module `java.management` is missing or the JVM does not count.
    public static void prepare() {
        ready = Sampler.present("java.management") && ThreadAllocation.currentBytes() >= 0;
    }

    /// Bytes since the thread began; -1 before [#prepare()], and if the JVM does not tell, as for virtual threads.
    public static long currentBytes() {
        return ready ? ThreadAllocation.currentBytes() : -1;
    }
}
