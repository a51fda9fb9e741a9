package dev.oriel.bench.measure;

/// A histogram of durations: 32 steps within each doubling, so a percentile is right to 3 %. One
/// thread writes it; several are merged.
public final class Latencies {
    private static final int STEP_BITS = 5;
    private final long[] counts = new long[(Long.SIZE - STEP_BITS) << STEP_BITS];
    private long total;
    private long max;

    /// Adds one.
    public void add(long nanos) {
        long value = Math.max(nanos, 0);
        counts[slot(value)]++;
        total++;
        max = Math.max(max, value);
    }

    /// Adds all of another.
    public void add(Latencies other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
        max = Math.max(max, other.max);
    }

    /// Number of durations added.
    public long count() {
        return total;
    }

    /// The duration that the `share` of them (0 to 1) does not exceed: the upper end of its step.
    public long percentile(double share) {
        if (total == 0) {
            throw new IllegalStateException("No duration was added");
        }
        long rank = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(max, upper(i));
            }
        }
        return max;
    }

    private static int slot(long value) {
        if (value < 1L << STEP_BITS) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - STEP_BITS;
        return (shift << STEP_BITS) + (int) (value >>> shift);
    }

    private static long upper(int slot) {
        if (slot < 1 << STEP_BITS) {
            return slot;
        }
        int shift = (slot >> STEP_BITS) - 1;
        long base = slot - ((long) shift << STEP_BITS);
        return ((base + 1) << shift) - 1;
    }
}
