package dev.oriel.profiler;

/// Measures the cost of recording a call.
final class Calibration {
    private static final int BATCH = 1_000;
    private static final long TIME_MAX_NANOS = 10_000_000;

    /// Assumed bound of a recorded call's cost, in readings of the clock: a higher figure is taken for that of code not
    /// compiled yet.
    private static final int READINGS_MAX = 6;

    /// Number of methods in the measurement of counted calls, a power of two.
    private static final int COUNTED_PROBES = 64;

    /// Assumed bound of a counted call's cost, in readings of the clock.
    private static final int COUNTED_READINGS_MAX = 2;

    private static final long COUNTED_NANOS_MAX = 5_000_000;

    private Calibration() {}

    /// Nanoseconds of an entry and its exit: the least of several batches, the first of which only make the JVM
    /// compile the recorder. The inside part is the time that the recorder itself reports for the empty calls of
    /// that batch. With counted calls it takes some 15 ms.
    static ProbeCost cost(TreeOptions options) {
        Recorder recorder = Session.unregistered(options.withAutoTune(false));
        Probe outer = Probe.named("", "outer");
        Probe inner = Probe.named("", "inner");
        long begin = System.nanoTime();
        long entered = recorder.enter(outer);
        long least = Long.MAX_VALUE;
        long inside = 0;
        long insideBefore = 0;
        long batchBegin = begin;
        do {
            for (int i = 0; i < BATCH; i++) {
                recorder.exit(recorder.enter(inner), false);
            }
            long now = System.nanoTime();
            TreeNode called = recorder.root.lastChild;
            called = called == null ? null : called.lastChild;
            long insideNow = called == null ? 0 : called.selfNanos;
            if (now - batchBegin < least) {
                least = now - batchBegin;
                inside = insideNow - insideBefore;
            }
            insideBefore = insideNow;
            batchBegin = now;
        } while (batchBegin - begin < TIME_MAX_NANOS);
        recorder.exit(entered, false);
        long pair = Math.max(1, least / BATCH);
        long within = Math.max(0, Math.min(pair, inside / BATCH));
        return new ProbeCost(within, pair - within, countedNanos(options));
    }

    /// Nanoseconds of a call that is only counted, as in a program with many methods. Many nodes are called in no
    /// order, so that the processor finds neither branches nor memory where it expects them. In a loop over one
    /// method it would seem a fraction of that.
    static long countedNanos(TreeOptions options) {
        Recorder recorder = Session.unregistered(options.withAutoTune(false));
        Probe[] probes = new Probe[COUNTED_PROBES];
        for (int i = 0; i < probes.length; i++) {
            probes[i] = Probe.named("", "counted" + i);
        }
        long entered = recorder.enter(probes[0]);
        long least = Long.MAX_VALUE;
        int chance = 1;
        long begin = System.nanoTime();
        long batchBegin = begin;
        do {
            for (int i = 0; i < BATCH; i++) {
                chance = chance * 1_664_525 + 1_013_904_223;
                long outer = recorder.enter(probes[chance >>> 24 & COUNTED_PROBES - 1]);
                long inner = recorder.enter(probes[chance >>> 16 & COUNTED_PROBES - 1]);
                recorder.exit(inner, false);
                recorder.exit(outer, false);
            }
            recorder.countAll();
            long now = System.nanoTime();
            least = batchBegin == begin ? least : Math.min(least, now - batchBegin);
            batchBegin = System.nanoTime();
        } while (batchBegin - begin < COUNTED_NANOS_MAX);
        recorder.exit(entered, false);
        // More is that of code not compiled yet.
        return Math.clamp(least / (2 * BATCH), 1, COUNTED_READINGS_MAX * readingNanos());
    }

    /// The cost of a recorder compiled by the JVM: at most that of a few readings of the clock. On a busy machine the
    /// compilation may take seconds.
    static long compiledNanos(TreeOptions options) {
        return Math.min(cost(options).pairNanos(), READINGS_MAX * readingNanos());
    }

    private static long readingNanos() {
        long least = Long.MAX_VALUE;
        for (int batch = 0; batch < 5; batch++) {
            long begin = System.nanoTime();
            long last = begin;
            for (int i = 0; i < BATCH; i++) {
                last = System.nanoTime();
            }
            least = Math.min(least, last - begin);
        }
        return Math.max(1, least / BATCH);
    }
}
