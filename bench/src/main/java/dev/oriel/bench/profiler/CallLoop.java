package dev.oriel.bench.profiler;

/// The calls that profilers are measured with: little work, so that the cost of profiling shows. The results of the
/// calls depend on each other, and the sum is used.
public final class CallLoop {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private CallLoop() {}

    /// Calls the method `calls` times.
    public static long plain(int calls) {
        long x = 1;
        for (int i = 0; i < calls; i++) {
            x = step(x, i);
        }
        return x;
    }

    /// The measured method.
    public static long step(long x, int i) {
        return (x ^ i) * FACTOR;
    }
}
