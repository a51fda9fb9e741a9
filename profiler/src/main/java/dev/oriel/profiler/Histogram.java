package dev.oriel.profiler;

import java.util.Arrays;

/// Histogram of times with four buckets for each power of two, from a nanosecond to 292 years. A percentile is off
/// by an eighth at most. Immutable.
public final class Histogram {
    /// A histogram without times.
    public static final Histogram EMPTY = new Histogram(new long[0]);

    /// Greatest number of buckets.
    static final int BUCKETS = 248;

    private static final int SUB_BITS = 2;

    private final long[] counts;

    private Histogram(long[] counts) {
        this.counts = counts;
    }

    /// The histogram of the given counts, one for each bucket from the first on.
    static Histogram of(long[] counts) {
        int length = counts.length;
        while (length > 0 && counts[length - 1] == 0) {
            length--;
        }
        return length == 0 ? EMPTY : new Histogram(Arrays.copyOf(counts, length));
    }

    /// The bucket of a time: 0 to 3 have one each; others by the power of two and the two bits below it.
    static int bucket(long nanos) {
        if (nanos < 1 << SUB_BITS) {
            return (int) Math.max(0, nanos);
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        return ((power - 1) << SUB_BITS) + (int) ((nanos >>> (power - SUB_BITS)) & 3);
    }

    /// The least time of a bucket.
    static long floor(int bucket) {
        if (bucket < 1 << SUB_BITS) {
            return bucket;
        }
        int power = (bucket >> SUB_BITS) + 1;
        return (1L << power) | ((long) (bucket & 3) << (power - SUB_BITS));
    }

    /// Counts of the buckets, from the first on; a copy.
    long[] counts() {
        return counts.clone();
    }

    /// The number of recorded times.
    public long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /// The sum of both.
    ///
    /// @throws ArithmeticException if a count would not fit into a long
    public Histogram plus(Histogram other) {
        if (counts.length < other.counts.length) {
            return other.plus(this);
        }
        long[] sum = counts.clone();
        for (int i = 0; i < other.counts.length; i++) {
            sum[i] = Math.addExact(sum[i], other.counts[i]);
        }
        return of(sum);
    }

    /// The time in nanoseconds that `share` of the recorded times did not exceed: the middle of its bucket. 0 if
    /// none was recorded.
    ///
    /// @param share between 0 and 1
    public long percentile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count()));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                long next = i + 1 < BUCKETS ? floor(i + 1) - 1 : Long.MAX_VALUE;
                return floor(i) + (next - floor(i)) / 2;
            }
        }
        return 0;
    }

    /// The part of the recorded time, between 0 and 1, that the shorter `share` of calls took, as closely as
    /// buckets tell it; 1 if none was recorded.
    ///
    /// @param share between 0 and 1
    public double timeBelow(double share) {
        double rank = share * count();
        double seen = 0;
        double below = 0;
        double all = 0;
        for (int i = 0; i < counts.length; i++) {
            double next = i + 1 < BUCKETS ? floor(i + 1) : Long.MAX_VALUE;
            double middle = (floor(i) + next) / 2;
            below += middle * Math.max(0, Math.min((double) counts[i], rank - seen));
            all += middle * counts[i];
            seen += counts[i];
        }
        return all == 0 ? 1 : below / all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Histogram histogram && Arrays.equals(counts, histogram.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return Arrays.toString(counts);
    }
}
