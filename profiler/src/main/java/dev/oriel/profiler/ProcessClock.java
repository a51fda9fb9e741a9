package dev.oriel.profiler;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Measures the whole process between two moments.
final class ProcessClock {
    private final boolean allocation;
    private final long cpuNanos;
    private final long bytes;
    private final ProcessWatch watch;

    private ProcessClock(boolean allocation, boolean repeated) {
        this.allocation = allocation;
        cpuNanos = cpuNanos();
        watch = ProcessWatch.start(repeated);
        bytes = allocation ? ThreadAllocation.totalBytes() : -1;
    }

    /// Starts. Bytes are measured only with samples or if the options ask for them, because the JVM's management
    /// takes some tens of milliseconds to start.
    static ProcessClock start(ProfileOptions options) {
        boolean wanted = options.tree().allocation() || !options.samples().isEmpty();
        return new ProcessClock(
                wanted && Sampler.present("java.management") && Sampler.present("jdk.management"),
                !options.samples().isEmpty());
    }

    Totals stop(long operations, long threads, long idleNanos) {
        long cpu = cpuNanos();
        watch.stop();
        return new Totals(
                operations,
                cpu < 0 || cpuNanos < 0 ? -1 : cpu - cpuNanos,
                allocation && bytes >= 0 ? ThreadAllocation.totalBytes() - bytes : -1,
                threads,
                idleNanos,
                Runtime.getRuntime().availableProcessors(),
                watch.jvm());
    }

    /// The ports at which the process listened; null if unknown. To be called after [#stop].
    @Nullable String listens() {
        return watch.listens();
    }

    private static long cpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(-1L);
    }
}
