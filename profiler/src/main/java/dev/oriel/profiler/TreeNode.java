package dev.oriel.profiler;

import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A node of a [Recorder]'s tree: one probe, called along one path.
///
/// Holds no total. The recorder adds every stretch of time to the self time of exactly one node,
/// and a total is the sum over the subtree; so self times and totals agree to the nanosecond, also
/// in a copy taken while the thread runs.
///
/// Children hang in an open-addressing table behind a pointer to the one that was called last.
/// Written by the thread that holds the recorder; the thread that ends the profile reads without a
/// lock and sees each node either whole or not at all.
final class TreeNode {
    /// Stands for every call below a path that is too deep, or past the greatest number of nodes.
    static final Probe OTHER = Probe.named("", "(other)");

    /// Null in the root, which is no call: its self time is what passes between two root calls.
    final @Nullable Probe probe;

    final int depth;
    long calls;
    long selfNanos;
    long minNanos = Long.MAX_VALUE;
    long maxNanos;
    @Nullable TreeNode lastChild;

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

    /// Hands over each child, in no order.
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
    void ended(long nanos) {
        if (nanos < minNanos) {
            minNanos = nanos;
        }
        if (nanos > maxNanos) {
            maxNanos = nanos;
        }
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
