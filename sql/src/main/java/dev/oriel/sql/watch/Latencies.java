package dev.oriel.sql.watch;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A histogram of times with four buckets per octave, from 128 ns to 137 s, so accurate to a fifth. Written by one
/// thread. Others may read at any time, and may miss the latest additions.
public final class Latencies {
    private static final int SHIFT_MIN = 7;
    private static final int OCTAVES = 30;
    static final int BUCKETS = 4 * OCTAVES;

    /// Null until a time is added: most sessions of one transaction time nothing.
    private long @Nullable [] weights;

    public void add(long nanos, long weight) {
        made()[bucket(nanos)] += weight;
    }

    public void add(Latencies other) {
        long[] added = other.weights;
        if (added == null) {
            return;
        }
        long[] to = made();
        for (int i = 0; i < BUCKETS; i++) {
            to[i] += added[i];
        }
    }

    private long[] made() {
        long[] known = weights;
        if (known == null) {
            known = new long[BUCKETS];
            weights = known;
        }
        return known;
    }

    public static int bucket(long nanos) {
        if (nanos < 1 << SHIFT_MIN) {
            return 0;
        }
        int octave = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >>> (octave - 2)) & 3;
        return Math.min(4 * (octave - SHIFT_MIN) + quarter, BUCKETS - 1);
    }

    /// The upper bound of a bucket, exclusive.
    static long end(int bucket) {
        int octave = bucket / 4 + SHIFT_MIN;
        return (long) (5 + bucket % 4) << (octave - 2);
    }

    /// A percentile in nanoseconds: the upper bound of the bucket that `share` of the weight lies within. Weights
    /// of buckets before `bucket` count `factor` times.
    public long percentile(double share, int bucket, double factor) {
        long[] known = weights;
        if (known == null) {
            return 0;
        }
        double total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            total += i < bucket ? factor * known[i] : known[i];
        }
        double sought = share * total;
        double below = 0;
        for (int i = 0; i < BUCKETS; i++) {
            below += i < bucket ? factor * known[i] : known[i];
            if (below >= sought && below > 0) {
                return end(i);
            }
        }
        return 0;
    }

    void clear() {
        long[] known = weights;
        if (known != null) {
            Arrays.fill(known, 0);
        }
    }
}
