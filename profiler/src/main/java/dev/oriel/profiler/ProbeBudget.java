package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps the cost of recording one thread within a share of its time in calls. It checks the cost after a number
/// of timed calls. If recording took more than its share, the most called and shortest nodes are counted without a
/// time from then on, until the cost fits. Used by the thread that holds the recorder.
final class ProbeBudget {
    /// No bound.
    static final ProbeBudget NONE = new ProbeBudget(1, 0);

    private static final int LOOK_EVERY = 1 << 14;

    /// One part in so many of the calls since the last check; fewer calls, as of a loop that has not ended, save
    /// nothing.
    private static final int PARTS_MAX = 1_000;

    private final double share;
    private long callNanos;
    private @Nullable LongSupplier again;
    private long lookedAt;
    private long idleThen;
    private final TreeSet<String> counted = new TreeSet<>();

    /// @param share of the time, between 0 and 1
    /// @param callNanos cost of recording a timed call
    ProbeBudget(double share, long callNanos) {
        this.share = share;
        this.callNanos = callNanos;
    }

    /// @param callNanos cost of recording a timed call, at the start of the profile
    /// @param again measures it once more. The JVM may not have compiled the recorder by the start
    ProbeBudget(double share, long callNanos, LongSupplier again) {
        this(share, callNanos);
        this.again = again;
    }

    /// Number of timed calls before the first check.
    int first() {
        return callNanos == 0 || share >= 1 ? Integer.MAX_VALUE : LOOK_EVERY;
    }

    /// The nodes that it counts without a time, by the names of their methods.
    List<String> counted() {
        return List.copyOf(counted);
    }

    /// Calls and time of a node since its last check.
    private record Seen(TreeNode node, long calls, long nanos) {
        double heat() {
            return (double) calls * calls / Math.max(1, nanos);
        }
    }

    /// Restarts: earlier time is not counted.
    void begin(long now, long idleNanos) {
        lookedAt = now;
        idleThen = idleNanos;
    }

    /// Checks the last `calls` timed calls; returns the number of calls until the next check.
    int look(TreeNode root, int nodes, int calls, long now) {
        long busy = Math.max(1, now - lookedAt - (root.selfNanos - idleThen));
        begin(now, root.selfNanos);
        List<Seen> all = new ArrayList<>();
        add(root, all);
        double over = (double) calls * callNanos - share * busy;
        LongSupplier measure = again;
        if (over > 0 && measure != null) {
            again = null;
            callNanos = Math.min(callNanos, measure.getAsLong());
            over = (double) calls * callNanos - share * busy;
        }
        if (over > 0) {
            all.sort(Comparator.comparingDouble(Seen::heat).reversed());
            for (Seen seen : all) {
                boolean isShort = seen.nanos * share < (double) seen.calls * callNanos;
                boolean isMany = seen.calls * PARTS_MAX >= calls;
                if (over > 0 && isShort && isMany && !seen.node.counted) {
                    seen.node.countOnly();
                    counted.add(String.valueOf(seen.node.probe));
                    over -= (double) seen.calls * callNanos;
                }
            }
        }
        return Math.max(LOOK_EVERY, 4 * nodes); // a large tree takes long to check
    }

    private static void add(TreeNode node, List<Seen> all) {
        node.forEachChild(child -> {
            if (!child.counted) {
                long calls = child.calls - child.lookedCalls;
                if (calls > 0) {
                    all.add(new Seen(child, calls, child.endedNanos - child.lookedNanos));
                }
                child.lookedCalls = child.calls;
                child.lookedNanos = child.endedNanos;
            }
            add(child, all);
        });
    }
}
