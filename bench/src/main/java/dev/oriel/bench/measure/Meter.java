package dev.oriel.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// Wall time, processor time of all threads of the process, and heap bytes allocated by all
/// threads, between two moments.
public final class Meter {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final long cpu;
    private final long bytes;
    private final long wall;

    private Meter() {
        bytes = HeapBytes.allocated();
        cpu = SYSTEM.getProcessCpuTime();
        wall = System.nanoTime();
    }

    /// Starts now.
    public static Meter start() {
        return new Meter();
    }

    /// Nanoseconds since the start.
    public long elapsed() {
        return System.nanoTime() - wall;
    }

    /// Resources used since the start, by `operations` operations.
    public Reading stop(long operations) {
        long nanos = System.nanoTime() - wall;
        long cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
        long allocated = HeapBytes.allocated() - bytes;
        return new Reading(operations, nanos, cpuNanos, allocated);
    }

    /// The resources used.
    ///
    /// @param operations number of operations
    /// @param nanos of wall time
    /// @param cpuNanos of processor time, all threads
    /// @param bytes allocated on the heap, all threads
    public record Reading(long operations, long nanos, long cpuNanos, long bytes) {
        /// Nanoseconds of wall time per operation.
        public double perOp() {
            return (double) nanos / operations;
        }

        /// Operations per second.
        public double perSecond() {
            return operations * 1e9 / nanos;
        }

        /// Nanoseconds of processor time per operation.
        public double cpuPerOp() {
            return (double) cpuNanos / operations;
        }

        /// Heap bytes per operation.
        public double bytesPerOp() {
            return (double) bytes / operations;
        }
    }
}
