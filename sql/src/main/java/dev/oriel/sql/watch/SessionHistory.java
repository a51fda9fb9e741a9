package dev.oriel.sql.watch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Samples of the sessions' activity: a ring buffer of bounded length. Written by the sampling thread alone, read
/// by any.
public final class SessionHistory {
    static final int SAMPLES_MAX = 32_768;

    /// The activity of one session.
    ///
    /// @param atMillis since 1970
    public record Sample(
            long atMillis,
            long session,
            SessionActivity.State state,
            String waiting,
            @Nullable StatementEntry statement) {}

    private @Nullable Sample[] ring = new @Nullable Sample[256];
    private long written;

    synchronized void add(Sample sample) {
        if (written == ring.length && written < SAMPLES_MAX) {
            @Nullable Sample[] longer = new @Nullable Sample[2 * ring.length];
            System.arraycopy(ring, 0, longer, 0, ring.length);
            ring = longer;
        }
        ring[(int) (written % ring.length)] = sample;
        written++;
    }

    /// All samples, oldest first.
    public synchronized List<Sample> all() {
        List<Sample> all = new ArrayList<>();
        for (long i = Math.max(0, written - ring.length); i < written; i++) {
            Sample sample = ring[(int) (i % ring.length)];
            if (sample != null) {
                all.add(sample);
            }
        }
        return all;
    }
}
