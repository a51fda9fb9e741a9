package dev.oriel.store.delta;

import java.util.Arrays;

/// Nodes of a [DeltaLayer] that commits have copied, until no snapshot sees them. A node of commit `made` that commit
/// `tag` has copied is seen by the snapshots from `made` to `tag - 1`.
///
/// Most nodes are seen by no snapshot when the next commit begins. The others wait. They are looked at again when the
/// oldest snapshot has changed, or when a quarter more wait than at the last look. So one snapshot that stays open keeps
/// the nodes of its own state alone, whatever younger ones come and go.
final class RetiredNodes {
    private static final int LEAST = 64;

    // The nodes that wait, then those of the open commit from `waiting` on.
    private int[] nodes = new int[LEAST];
    private long[] made = new long[LEAST];
    private long[] tags = new long[LEAST];
    private int count;

    /// Number of nodes retired before the open commit.
    private int before;

    /// Number of nodes that were seen at the last sweep, and the oldest snapshot then.
    private int waiting;

    private long oldest;

    /// Number of nodes that waited after the last look at all.
    private int waitingThen;

    /// Adds a node that the open commit `tag` has copied.
    void add(int node, long madeBy, long tag) {
        if (count == nodes.length) {
            made = Arrays.copyOf(made, 2 * count);
            tags = Arrays.copyOf(tags, 2 * count);
            nodes = Arrays.copyOf(nodes, 2 * count);
        }
        nodes[count] = node;
        made[count] = madeBy;
        tags[count] = tag;
        count++;
    }

    /// The open commit is undone: its nodes are in use again.
    void rollback() {
        count = before;
    }

    /// Adds the nodes that none of the first `snapshotCount` of `snapshots`, which are in order, sees to `free` behind
    /// the first `freeCount`; returns the new number. Another commit begins.
    int sweep(long[] snapshots, int snapshotCount, int[] free, int freeCount) {
        boolean all = snapshots[0] != oldest || waiting - waitingThen > waitingThen / 4 + LEAST;
        int from = all ? 0 : waiting;
        int kept = from;
        int freed = freeCount;
        for (int i = from; i < count; i++) {
            if (isSeen(made[i], tags[i], snapshots, snapshotCount)) {
                nodes[kept] = nodes[i];
                made[kept] = made[i];
                tags[kept] = tags[i];
                kept++;
            } else {
                free[freed++] = nodes[i];
            }
        }
        count = kept;
        before = kept;
        waiting = kept;
        waitingThen = all ? kept : waitingThen;
        oldest = snapshots[0];
        return freed;
    }

    private static boolean isSeen(long made, long tag, long[] snapshots, int count) {
        int found = Arrays.binarySearch(snapshots, 0, count, made);
        int first = found >= 0 ? found : -1 - found;
        return first < count && snapshots[first] < tag;
    }
}
