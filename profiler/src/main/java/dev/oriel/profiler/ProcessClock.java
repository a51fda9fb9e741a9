package dev.oriel.profiler;

import java.time.Duration;
import java.util.Map;

/// Measures the whole process between two moments. Immutable.
final class ProcessClock {
    private final boolean allocation;
    private final long cpuNanos;
    private final long bytes;
    private final Map<String, JvmThreads.Task> tasks;

    private ProcessClock(boolean allocation) {
        this.allocation = allocation;
        cpuNanos = cpuNanos();
        tasks = JvmThreads.tasks();
        bytes = allocation ? ThreadAllocation.totalBytes() : -1;
    }

    /// Starts. Bytes are measured only with samples or if the options ask for them, because the JVM's management
    /// takes some tens of milliseconds to start.
    static ProcessClock start(ProfileOptions options) {
        boolean wanted = options.tree().allocation() || !options.samples().isEmpty();
        return new ProcessClock(
                wanted && Sampler.present("java.management") && Sampler.present("jdk.management"));
    }

    Totals stop(long operations, long threads, long idleNanos) {
        long cpu = cpuNanos();
        return new Totals(
                operations,
                cpu < 0 || cpuNanos < 0 ? -1 : cpu - cpuNanos,
                allocation && bytes >= 0 ? ThreadAllocation.totalBytes() - bytes : -1,
                threads,
                idleNanos,
                Runtime.getRuntime().availableProcessors(),
                JvmThreads.between(tasks, JvmThreads.tasks()));
    }

    private static long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(-1L);
    }
}
