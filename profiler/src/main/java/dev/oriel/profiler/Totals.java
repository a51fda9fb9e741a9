package dev.oriel.profiler;

/// Measurements of the whole process while a profile ran. -1 is unknown.
///
/// @param operations the workload's operations: statements, gets, rows. A comparison divides by it
/// @param cpuNanos processor time of the process
/// @param allocatedBytes bytes allocated by all threads
/// @param threads the greatest number of threads that had recorded calls open at one time
/// @param idleNanos the time that these threads spent between their recorded calls
/// @param processors number of processors that the JVM may use
/// @param jvm processor time of the JVM's own threads, and the time threads of the program waited for one
public record Totals(
        long operations,
        long cpuNanos,
        long allocatedBytes,
        long threads,
        long idleNanos,
        long processors,
        JvmThreads jvm) {

    /// Totals without figures of the JVM's threads.
    public Totals(
            long operations,
            long cpuNanos,
            long allocatedBytes,
            long threads,
            long idleNanos,
            long processors) {
        this(
                operations,
                cpuNanos,
                allocatedBytes,
                threads,
                idleNanos,
                processors,
                JvmThreads.UNKNOWN);
    }

    /// No figure is known.
    public static final Totals UNKNOWN = new Totals(-1, -1, -1, -1, -1, -1);

    /// These totals with another number of operations.
    public Totals withOperations(long count) {
        return new Totals(count, cpuNanos, allocatedBytes, threads, idleNanos, processors, jvm);
    }
}
