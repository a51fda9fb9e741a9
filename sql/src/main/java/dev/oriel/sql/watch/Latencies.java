package dev.oriel.sql.watch;

import org.jspecify.annotations.Nullable;

/// A histogram of times with 16 buckets per octave, from 128 ns to 137 s, so accurate to a sixteenth. Only octaves
/// between the shortest and the longest time take memory. Written by one thread. Others may read at any time, and may
/// miss the latest additions.
public final class Latencies {
    private static final int SHIFT_MIN = 7;
    private static final int OCTAVES = 30;
    private static final int PARTS_SHIFT = 4;
    private static final int PARTS = 1 << PARTS_SHIFT;
    static final int BUCKETS = PARTS * OCTAVES;

    /// Buckets of some adjacent octaves.
    private static final class Window {
        /// Number of the first bucket, a multiple of [#PARTS].
        private final int first;

        private final long[] weights;

        Window(int first, long[] weights) {
            this.first = first;
            this.weights = weights;
        }

        private int end() {
            return first + weights.length;
        }
    }

    /// Null until a time is added: most sessions of one transaction time nothing.
    private @Nullable Window window;

    public void add(long nanos, long weight) {
        add(bucket(nanos), weight);
    }

    private void add(int bucket, long weight) {
        Window to = window;
        if (to == null || bucket < to.first || bucket >= to.end()) {
            to = widened(to, bucket);
            window = to;
        }
        to.weights[bucket - to.first] += weight;
    }

    private static Window widened(@Nullable Window old, int bucket) {
        int octave = bucket & -PARTS;
        int first = old == null ? octave : Math.min(old.first, octave);
        int end = old == null ? octave + PARTS : Math.max(old.end(), octave + PARTS);
        long[] weights = new long[end - first];
        if (old != null) {
            System.arraycopy(old.weights, 0, weights, old.first - first, old.weights.length);
        }
        return new Window(first, weights);
    }

    public void add(Latencies other) {
        Window added = other.window;
        if (added != null) {
            for (int i = 0; i < added.weights.length; i++) {
                if (added.weights[i] != 0) {
                    add(added.first + i, added.weights[i]);
                }
            }
        }
    }

    public static int bucket(long nanos) {
        if (nanos < 1 << SHIFT_MIN) {
            return 0;
        }
        int octave = 63 - Long.numberOfLeadingZeros(nanos);
        int part = (int) (nanos >>> (octave - PARTS_SHIFT)) & PARTS - 1;
        return Math.min(PARTS * (octave - SHIFT_MIN) + part, BUCKETS - 1);
    }

    /// The upper bound of a bucket, exclusive.
    static long end(int bucket) {
        int octave = bucket / PARTS + SHIFT_MIN;
        return (long) (PARTS + 1 + bucket % PARTS) << (octave - PARTS_SHIFT);
    }

    /// A percentile in nanoseconds: the upper bound of the bucket that `share` of the weight lies within. Weights
    /// of buckets before `bucket` count `factor` times.
    public long percentile(double share, int bucket, double factor) {
        Window known = window;
        if (known == null) {
            return 0;
        }
        double total = 0;
        for (int i = 0; i < known.weights.length; i++) {
            total += known.first + i < bucket ? factor * known.weights[i] : known.weights[i];
        }
        double sought = share * total;
        double below = 0;
        for (int i = 0; i < known.weights.length; i++) {
            below += known.first + i < bucket ? factor * known.weights[i] : known.weights[i];
            if (below >= sought && below > 0) {
                return end(known.first + i);
            }
        }
        return 0;
    }
}
