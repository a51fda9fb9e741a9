package dev.oriel.store;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Who waits for whom, walked to find out whether somebody who begins to wait closes a circle. It is
/// read from the queues themselves, one stripe after the other, while others go on granting and
/// releasing; its caller holds the monitor without which nobody begins or gives up waiting.
///
/// **What is found is a deadlock.** Let the walk go from `start` to A to B and so on back to `start`.
/// Each of them was seen waiting, and since nobody begins to wait meanwhile, each has waited from
/// before the walk until it was seen. Whoever waits releases nothing. So the last of them, which
/// `start` blocks, still waits at the end of the walk; then so does the one before, which that one
/// blocks; and so on to A.
///
/// **No deadlock is missed,** though the walk is made only once for each wait. An arrow from somebody
/// who waits appears when one of its two ends begins to wait: those who come later stand behind (or
/// go to the front, which makes arrows to them), and whoever is granted the lock was waited for
/// before as the first of the queue. So the arrow that closes a circle touches the one who begins to
/// wait, and the walk from there goes around it. The arrows of a circle stay, so none is passed over.
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

    /// Whether `owner`, who stands in a queue, waits for itself in the end.
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
        Arrays.fill(pending, null); // an owner that has ended is garbage
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
