package dev.oriel.profiler;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A node of a [Recorder]'s tree: one probe, called along one path.
///
/// Holds no total. The recorder adds every stretch of time to the self time of exactly one node, and a total is
/// the sum over the subtree. So self times and totals agree to the nanosecond, also in a copy taken while the
/// thread runs.
///
/// Children hang in an open-addressing table behind a pointer to the one that was called last.
/// Written by the thread that holds the recorder; the thread that ends the profile reads without a
/// lock and sees each node either whole or not at all.
final class TreeNode {
    /// Stands for every call below a path that is too deep, or past the greatest number of nodes.
    static final Probe OTHER = Probe.named("", "(other)");

    private static final long TUNED_CALLS = 1 << 17;
    private static final int GROWTH_OCTAVES = 6;
    private static final long GROWTH_CALLERS = 64;

    /// Probe of the node; null in the root, whose self time is the time between two root calls.
    final @Nullable Probe probe;

    final int depth;
    long calls;
    long selfNanos;
    long minNanos = Long.MAX_VALUE;
    long maxNanos;

    /// Sum of the times of ended calls; nested calls count twice.
    long endedNanos;

    long recursive;
    long errors;
    long allocatedBytes;

    /// Processor time of its own code and of its callees without a measurement of their own.
    long cpuNanos;

    /// Calls whose processor time was measured.
    long cpuCalls;

    /// Whether processor time is measured, as long as its calls are long enough.
    boolean cpuTimed = true;

    /// Whether calls are counted without a time from now on.
    boolean counted;

    /// Number of timed calls when counting without a time began.
    private long timedCalls;

    /// Number of calls at the last check of [ProbeBudget].
    long lookedCalls;

    long lookedNanos;

    long lookedSelf;

    /// Number of calls at the last check of counted calls.
    long lookedCounted;

    long @Nullable [] latencies;
    @Nullable TreeNode lastChild;

    /// Number of the caller's calls when this node had been called 1, 2, 4, 8, ... times.
    private long[] marks = new long[4];

    private int markCount;
    private long tuneAt;
    private long tuneNanos;

    private @Nullable TreeNode[] children = new TreeNode[4];
    private int childCount;

    TreeNode(@Nullable Probe probe, int depth) {
        this.probe = probe;
        this.depth = depth;
    }

    /// The child of `probe`, or null if there is none yet.
    @Nullable TreeNode child(Probe probe) {
        int mask = children.length - 1;
        int slot = probe.hash >>> 8 & mask;
        TreeNode node;
        while ((node = children[slot]) != null && node.probe != probe) {
            slot = slot + 1 & mask;
        }
        return node;
    }

    /// Adds a child for a probe that has none.
    TreeNode add(Probe probe) {
        if (2 * ++childCount > children.length) {
            @Nullable TreeNode[] wider = new TreeNode[2 * children.length];
            for (TreeNode node : children) {
                if (node != null) {
                    insert(wider, node);
                }
            }
            VarHandle.releaseFence();
            children = wider;
        }
        TreeNode node = new TreeNode(probe, depth + 1);
        VarHandle.releaseFence();
        insert(children, node);
        return node;
    }

    /// Whether no call of its own was recorded.
    boolean isLeaf() {
        return childCount == 0;
    }

    /// Passes each child to `action`, in no order.
    void forEachChild(Consumer<TreeNode> action) {
        @Nullable TreeNode[] table = children;
        VarHandle.acquireFence();
        for (TreeNode node : table) {
            if (node != null) {
                action.accept(node);
            }
        }
    }

    /// Notes that one call has ended after `nanos`.
    void ended(long nanos, boolean histogram) {
        endedNanos += nanos;
        if (nanos < minNanos) {
            minNanos = nanos;
        }
        if (nanos > maxNanos) {
            maxNanos = nanos;
        }
        if (histogram) {
            int bucket = Histogram.bucket(nanos);
            long[] counts = latencies;
            if (counts == null || bucket >= counts.length) {
                counts = widen(bucket);
            }
            counts[bucket]++;
        }
    }

    /// Counts calls without a time from the next one on.
    void countOnly() {
        timedCalls = calls;
        counted = true;
    }

    /// Whether ended calls are too short for a measurement of their processor time.
    boolean tooShortForCpu() {
        return endedNanos > 0 && endedNanos < (calls - 1) * Recorder.CPU_NANOS_MIN;
    }

    /// Number of calls that were counted without a time.
    long untimed() {
        return counted ? calls - timedCalls : 0;
    }

    /// Records the number of the caller's calls, at a number of calls that is a power of two.
    void mark(TreeNode caller) {
        if (markCount == marks.length) {
            marks = Arrays.copyOf(marks, 2 * markCount);
        }
        marks[markCount++] = caller == this ? 0 : caller.calls;
    }

    /// Whether the calls since the last check, half of all, came faster and ended sooner than is worth timing.
    boolean tooQuick(long now) {
        long half = calls / 2;
        long elapsed = now - tuneAt;
        long nanos = endedNanos - tuneNanos;
        tuneAt = now;
        tuneNanos = endedNanos;
        return calls >= TUNED_CALLS
                && elapsed / 1_000 < half * 1_000_000 / Recorder.COUNTED_RATE
                && nanos < half * Recorder.COUNTED_NANOS;
    }

    /// How calls grow with the caller's, as an exponent, over the last [#GROWTH_OCTAVES] doublings;
    /// 0 if there were fewer, or the caller was not called more than [#GROWTH_CALLERS] times.
    double growth() {
        int last = markCount - 1;
        int first = last - GROWTH_OCTAVES;
        if (first < 0 || marks[first] < 1 || marks[last] < GROWTH_CALLERS) {
            return 0;
        }
        double callers = Math.log((double) marks[last] / marks[first]) / Math.log(2);
        return callers < 0.5 ? 0 : GROWTH_OCTAVES / callers;
    }

    private long[] widen(int bucket) {
        int length = Math.min(Histogram.BUCKETS, bucket + 8);
        long[] counts = latencies;
        long[] wider = counts == null ? new long[length] : Arrays.copyOf(counts, length);
        latencies = wider;
        return wider;
    }

    private static void insert(@Nullable TreeNode[] table, TreeNode node) {
        int mask = table.length - 1;
        int slot = Objects.requireNonNull(node.probe).hash >>> 8 & mask;
        while (table[slot] != null) {
            slot = slot + 1 & mask;
        }
        table[slot] = node;
    }
}
