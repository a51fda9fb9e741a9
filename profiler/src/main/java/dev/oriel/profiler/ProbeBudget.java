package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Keeps the cost of recording one thread within a share of its time in calls. It checks the cost after a number
/// of timed calls. If recording took more than its share, the most called and shortest nodes are counted without a
/// time from then on, until the cost fits.
///
/// Counted calls cost something, too. After more counted calls, it checks the counted calls alone. If they took more
/// than the share, and it may, it leaves out the methods with the most counted calls, until the rest fits: in all
/// threads.
///
/// Used by the thread that holds the recorder.
final class ProbeBudget {
    /// No bound.
    static final ProbeBudget NONE = new ProbeBudget(1, 0);

    /// Least number of counted calls between two checks of them.
    static final int COUNTED_LOOK_EVERY = 1 << 17;

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

    /// Cost of a counted call, and the receiver of probes to leave out; without one none is left out.
    private long countedNanos;

    private @Nullable Consumer<Probe> leaving;
    private final TreeSet<String> leftOut = new TreeSet<>();
    private long countedLookedAt;
    private long countedIdleThen;

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

    /// Lets it leave methods out.
    ///
    /// @param nanos cost of a call that is counted without a time
    /// @param to leaves out the probes that it is told
    ProbeBudget leaving(long nanos, Consumer<Probe> to) {
        countedNanos = nanos;
        leaving = to;
        return this;
    }

    /// The methods left out.
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /// Whether any number of timed calls is within it.
    private boolean isBoundless() {
        return callNanos == 0 || share >= 1;
    }

    /// Number of timed calls before the first check.
    int first() {
        return isBoundless() ? Integer.MAX_VALUE : LOOK_EVERY;
    }

    /// Number of counted calls before their first check.
    int firstCounted() {
        return leaving == null ? Integer.MAX_VALUE : COUNTED_LOOK_EVERY;
    }

    /// The nodes that it counts without a time, by the names of their methods.
    List<String> counted() {
        return List.copyOf(counted);
    }

    /// Calls and time of a node since its last check.
    ///
    /// @param nanos time of the calls that ended, with their callees
    /// @param selfNanos time of its own code
    private record Seen(TreeNode node, long calls, long nanos, long selfNanos) {
        double heat() {
            return (double) calls * calls / Math.max(1, nanos);
        }

        double heatOfSelf() {
            return (double) calls * calls / Math.max(1, selfNanos);
        }
    }

    /// Restarts: earlier time is not counted.
    void begin(long now, long idleNanos) {
        if (isBoundless() && leaving == null) {
            return; // it may be shared
        }
        lookedAt = now;
        idleThen = idleNanos;
        if (countedLookedAt == 0) {
            countedLookedAt = now;
            countedIdleThen = idleNanos;
        }
    }

    /// Checks the last `counted` counted calls; returns the number of calls until the next check.
    int lookCounted(TreeNode root, int nodes, int counted, long now) {
        Consumer<Probe> to = leaving;
        if (to == null) {
            return Integer.MAX_VALUE;
        }
        long busy = Math.max(1, now - countedLookedAt - (root.selfNanos - countedIdleThen));
        countedLookedAt = now;
        countedIdleThen = root.selfNanos;
        Map<Probe, Long> calls = new HashMap<>();
        addCounted(root, calls);
        double over = (double) counted * countedNanos - share * busy;
        List<Map.Entry<Probe, Long>> most = new ArrayList<>(over > 0 ? calls.entrySet() : Set.of());
        most.sort(Map.Entry.<Probe, Long>comparingByValue().reversed());
        for (Map.Entry<Probe, Long> each : most) {
            if (over > 0 && each.getValue() * PARTS_MAX >= counted) {
                to.accept(each.getKey());
                leftOut.add(String.valueOf(each.getKey()));
                over -= (double) each.getValue() * countedNanos;
            }
        }
        return untilNext(COUNTED_LOOK_EVERY, nodes);
    }

    /// A large tree takes long to check, so that is done less often.
    private static int untilNext(int least, int nodes) {
        return Math.max(least, 4 * nodes);
    }

    /// Adds the counted calls of each probe since the last check.
    private static void addCounted(TreeNode node, Map<Probe, Long> calls) {
        node.forEachChild(child -> {
            Probe probe = child.probe;
            if (child.counted && probe != null && probe != TreeNode.OTHER) {
                calls.merge(probe, child.calls - child.lookedCounted, Long::sum);
                child.lookedCounted = child.calls;
            }
            addCounted(child, calls);
        });
    }

    /// Checks the last `calls` timed calls; returns the number of calls until the next check.
    int look(TreeNode root, int nodes, int calls, long now) {
        if (isBoundless()) {
            return Integer.MAX_VALUE;
        }
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
            over = countOnly(all, calls, over, Seen::nanos);
        }
        if (over > 0) {
            // In a recursion every call is long but for the innermost: then a node's own time
            // decides.
            all.sort(Comparator.comparingDouble(Seen::heatOfSelf).reversed());
            countOnly(all, calls, over, Seen::selfNanos);
        }
        return untilNext(LOOK_EVERY, nodes);
    }

    /// Reduces the first nodes that are short and called often to counting, until recording takes little enough;
    /// returns the excess that remains.
    private double countOnly(
            List<Seen> all, int calls, double tooMuch, ToLongFunction<Seen> nanos) {
        double over = tooMuch;
        for (Seen seen : all) {
            boolean isShort = nanos.applyAsLong(seen) * share < (double) seen.calls * callNanos;
            boolean isMany = seen.calls * PARTS_MAX >= calls;
            if (over > 0 && isShort && isMany && !seen.node.counted) {
                seen.node.countOnly();
                counted.add(String.valueOf(seen.node.probe));
                over -= (double) seen.calls * callNanos;
            }
        }
        return over;
    }

    private static void add(TreeNode node, List<Seen> all) {
        node.forEachChild(child -> {
            if (!child.counted) {
                long calls = child.calls - child.lookedCalls;
                if (calls > 0) {
                    all.add(
                            new Seen(
                                    child,
                                    calls,
                                    child.endedNanos - child.lookedNanos,
                                    child.selfNanos - child.lookedSelf));
                }
                child.lookedSelf = child.selfNanos;
                child.lookedCalls = child.calls;
                child.lookedNanos = child.endedNanos;
            }
            add(child, all);
        });
    }
}
