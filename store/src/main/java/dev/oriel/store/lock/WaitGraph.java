package dev.oriel.store.lock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The waits-for graph, walked to find out whether a new wait closes a cycle. It is read from the lock queues
/// themselves, one stripe after the other, while other threads continue to grant and release locks. The caller
/// holds the monitor needed to begin or give up a wait.
///
/// **A cycle found is a deadlock.** Let the walk go from `start` to A to B and so on back to `start`. Each of them was
/// seen waiting. No wait begins meanwhile, so each has waited from before the walk until it was seen. A waiter releases
/// nothing. So the last of them, which `start` blocks, still waits at the end of the walk. Then the same holds for the
/// owner before it, and so on back to A.
///
/// **No deadlock is missed,** though the walk is made only once for each wait. An edge from a waiter appears when
/// one of its two ends begins to wait. Later waiters queue after it (or go to the front, which makes edges to
/// them). An owner that is granted the lock was waited for before, as the first of the queue. So the edge that
/// closes a cycle touches the owner that begins to wait, and the walk from there goes around it. The edges of a
/// cycle stay, so none is missed.
final class WaitGraph {
    private final LockStripe[] stripes;
    private @Nullable LockOwner[] pending = new LockOwner[16];
    private int pendingCount;
    private @Nullable LockOwner start;
    private boolean circle;
    private long walk;

    WaitGraph(LockStripe[] stripes) {
        this.stripes = stripes;
    }

    /// Whether the queued `owner` waits, directly or not, for itself.
    boolean closesCircle(LockOwner owner) {
        walk++;
        circle = false;
        start = owner;
        LockOwner next = owner;
        while (next != null && !circle) {
            stripes[Locks.stripeIndex(next.wantedHash)].addBlockers(next, this);
            next = poll();
        }
        start = null;
        Arrays.fill(pending, null); // do not keep ended owners reachable
        pendingCount = 0;
        return circle;
    }

    void add(LockOwner blocker) {
        if (blocker == start) {
            circle = true;
        } else if (blocker.seenIn != walk) {
            blocker.seenIn = walk;
            if (pendingCount == pending.length) {
                pending = Arrays.copyOf(pending, 2 * pendingCount);
            }
            pending[pendingCount++] = blocker;
        }
    }

    private @Nullable LockOwner poll() {
        return pendingCount == 0 ? null : pending[--pendingCount];
    }
}
