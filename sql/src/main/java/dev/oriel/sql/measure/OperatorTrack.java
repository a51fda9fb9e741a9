package dev.oriel.sql.measure;

import dev.oriel.sql.measure.Analysis.Node;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Timeline of a statement's operators, recorded while it runs. At a change of operator, if the last note is
/// [#resolutionNanos] old, it notes the time and the operator that ran up to it. So between two notes only the
/// operator of the later one ran, or changes were too frequent for the clock.
///
/// Written by the statement's thread, read by the thread that ends the profile. Bounded: when it is full, every
/// second note is dropped, and the resolution is halved.
public final class OperatorTrack {
    public static final int NOTES_MAX = 1 << 17;

    /// Number of notes searched on either side of a moment.
    private static final int NEAR = 512;

    private long[] at = new long[0];
    private @Nullable Node[] nodes = new @Nullable Node[0];
    private int count;
    private volatile long resolutionNanos = 20_000;

    /// Least time between two notes.
    public long resolutionNanos() {
        return resolutionNanos;
    }

    /// Notes that `node` ran up to `now`.
    public synchronized void note(long now, Node node) {
        if (count == NOTES_MAX) {
            thin();
        }
        if (count == at.length) {
            int wider = Math.min(NOTES_MAX, Math.max(64, 2 * count));
            at = Arrays.copyOf(at, wider);
            nodes = Arrays.copyOf(nodes, wider);
        }
        at[count] = now;
        nodes[count] = node;
        count++;
    }

    private void thin() {
        int kept = count / 2;
        for (int i = 0; i < kept; i++) {
            at[i] = at[2 * i + 1];
            nodes[i] = nodes[2 * i + 1];
        }
        Arrays.fill(nodes, kept, count, null);
        count = kept;
        resolutionNanos = 2 * resolutionNanos;
    }

    /// Number of notes.
    public synchronized int notes() {
        return count;
    }

    /// The operator that ran at `nanos`; null if there is no note from then on.
    public synchronized @Nullable Node at(long nanos) {
        int first = firstFrom(nanos);
        return first == count ? null : nodes[first];
    }

    /// The candidate that ran at `nanos`, or nearest to it; null if there is no note of one near it.
    public synchronized @Nullable Node nearest(long nanos, Collection<Node> candidates) {
        int first = firstFrom(nanos);
        for (int distance = 0; distance < NEAR; distance++) {
            Node later = noted(first + distance);
            if (later != null && candidates.contains(later)) {
                return later;
            }
            Node earlier = noted(first - 1 - distance);
            if (earlier != null && candidates.contains(earlier)) {
                return earlier;
            }
        }
        return null;
    }

    private @Nullable Node noted(int index) {
        return index < 0 || index >= count ? null : nodes[index];
    }

    private int firstFrom(long nanos) {
        int found = Arrays.binarySearch(at, 0, count, nanos);
        return found < 0 ? -found - 1 : found;
    }
}
