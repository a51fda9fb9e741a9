package dev.oriel.profiler;

/// Measures what recording a call costs.
final class Calibration {
    private static final int BATCH = 1_000;
    private static final long TIME_MAX_NANOS = 10_000_000;

    private Calibration() {}

    /// Nanoseconds of an entry and its exit: the least of several batches, of which the first ones
    /// only make the JVM compile the recorder. Takes up to 10 ms.
    static long probePairNanos(ProfileOptions options) {
        Recorder recorder = Session.unregistered(options);
        Probe outer = Probe.named("", "outer");
        Probe inner = Probe.named("", "inner");
        long begin = System.nanoTime();
        long entered = recorder.enter(outer);
        long least = Long.MAX_VALUE;
        long batchBegin = begin;
        do {
            for (int i = 0; i < BATCH; i++) {
                recorder.exit(recorder.enter(inner), System.nanoTime());
            }
            long now = System.nanoTime();
            least = Math.min(least, now - batchBegin);
            batchBegin = now;
        } while (batchBegin - begin < TIME_MAX_NANOS);
        recorder.exit(entered, batchBegin);
        return Math.max(1, least / BATCH);
    }
}
