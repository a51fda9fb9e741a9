package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Keeps the cost of recording one thread within a share of its time in calls. It checks the cost after a number
/// of timed calls. If recording took more than its share, the most called and shortest nodes are counted without a
/// time from then on, until the cost fits.
///
/// Counted calls cost something, too. After a greater number of them it checks them alone. If they took more than
/// the share, and it may, it leaves out the methods with the most counted calls, until the rest fits: in all threads.
///
/// Used by the thread that holds the recorder.
final class ProbeBudget {
    /// No bound.
    static final ProbeBudget NONE = new ProbeBudget(1, 0);

    /// Number of counted calls between two checks of them.
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
    private final Map<String, Long> leftOut = new TreeMap<>();
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
    /// @param to is told each probe that is left out
    ProbeBudget leaving(long nanos, Consumer<Probe> to) {
        countedNanos = nanos;
        leaving = to;
        return this;
    }

    /// The methods left out, with the calls that were counted before.
    Map<String, Long> leftOut() {
        return Map.copyOf(leftOut);
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
        lookedAt = now;
        idleThen = idleNanos;
        if (countedLookedAt == 0) {
            countedLookedAt = now;
            countedIdleThen = idleNanos;
        }
    }

    /// Checks the last [#COUNTED_LOOK_EVERY] counted calls.
    void lookCounted(TreeNode root, long now) {
        long busy = Math.max(1, now - countedLookedAt - (root.selfNanos - countedIdleThen));
        countedLookedAt = now;
        countedIdleThen = root.selfNanos;
        Map<Probe, Long> calls = new HashMap<>();
        addCounted(root, calls);
        Consumer<Probe> to = leaving;
        double over = (double) COUNTED_LOOK_EVERY * countedNanos - share * busy;
        if (to == null || over <= 0) {
            return;
        }
        List<Map.Entry<Probe, Long>> most = new ArrayList<>(calls.entrySet());
        most.sort(Map.Entry.<Probe, Long>comparingByValue().reversed());
        for (Map.Entry<Probe, Long> each : most) {
            if (over > 0 && each.getValue() * PARTS_MAX >= COUNTED_LOOK_EVERY) {
                each.getKey().leftOut = true;
                to.accept(each.getKey());
                leftOut.put(String.valueOf(each.getKey()), each.getValue());
                over -= (double) each.getValue() * countedNanos;
            }
        }
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
        return Math.max(LOOK_EVERY, 4 * nodes); // a large tree takes long to check
    }

    /// Has the first nodes that are short and called often counted only, until recording takes less; returns what it
    /// takes too much after that.
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
