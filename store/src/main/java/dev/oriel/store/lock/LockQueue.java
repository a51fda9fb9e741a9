package dev.oriel.store.lock;

import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.lock.Locks.Grant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A lock with several sharers or with waiters: its holders, and the waiters in order of arrival. Only an upgrade
/// goes to the front: its owner holds the lock SHARED and blocks all other waiters anyway.
///
/// A waiter gets the lock only when all waiters before it have got it or given up, even if its mode would allow it
/// earlier. So a stream of sharers starves no waiter.
///
/// Every call is made under the monitor of the queue's stripe.
final class LockQueue implements LockHolder {
    private @Nullable LockOwner[] holders = new LockOwner[4];
    private int holderCount;
    private boolean exclusive;
    private @Nullable LockOwner first;
    private @Nullable LockOwner last;

    /// The owner that has waited longest, or a holder that waits for an upgrade.
    @Nullable LockOwner first() {
        return first;
    }

    int holderCount() {
        return holderCount;
    }

    @Nullable LockOwner holder(int index) {
        return holders[index];
    }

    boolean isExclusive() {
        return exclusive;
    }

    /// Whether there are waiters or several holders.
    boolean isNeeded() {
        return first != null || holderCount > 1;
    }

    boolean holds(LockOwner owner, LockMode mode) {
        return (exclusive || mode == LockMode.SHARED) && indexOf(owner) >= 0;
    }

    void add(LockOwner owner, boolean exclusively) {
        if (holderCount == holders.length) {
            holders = Arrays.copyOf(holders, 2 * holderCount);
        }
        holders[holderCount++] = owner;
        exclusive = exclusively;
    }

    /// Grants the lock if no other owner is in the way.
    Grant lock(LockOwner owner, LockMode mode) {
        if (indexOf(owner) >= 0) {
            if (exclusive || mode == LockMode.SHARED) {
                return Grant.HELD;
            }
            if (holderCount > 1) {
                return Grant.REFUSED;
            }
            exclusive = true;
            return Grant.UPGRADED;
        }
        if (first != null || (holderCount > 0 && (exclusive || mode == LockMode.EXCLUSIVE))) {
            return Grant.REFUSED;
        }
        add(owner, mode == LockMode.EXCLUSIVE);
        return Grant.NEW;
    }

    /// Makes `owner`, which was refused, wait.
    void enqueue(LockOwner owner, LockMode mode, long hash) {
        boolean upgrade = indexOf(owner) >= 0;
        LockOwner front = first;
        LockOwner end = last;
        if (front == null || end == null) {
            first = owner;
            last = owner;
        } else if (upgrade) {
            owner.behind = front;
            front.ahead = owner;
            first = owner;
        } else {
            owner.ahead = end;
            end.behind = owner;
            last = owner;
        }
        owner.waitIn(this, mode, hash, upgrade);
    }

    /// Takes `owner` out of the queue.
    void giveUp(LockOwner owner) {
        unlink(owner);
        owner.waitEnded();
        grantWaiting();
    }

    void release(LockOwner owner) {
        int index = indexOf(owner);
        holders[index] = holders[--holderCount];
        holders[holderCount] = null;
        exclusive = false;
        grantWaiting();
    }

    private void grantWaiting() {
        for (LockOwner next = first; next != null && mayGo(next); next = first) {
            if (next.upgrading) {
                exclusive = true;
            } else {
                add(next, next.wantedMode == LockMode.EXCLUSIVE);
            }
            unlink(next);
            next.waitEnded();
        }
    }

    private boolean mayGo(LockOwner next) {
        if (next.upgrading) {
            return holderCount == 1;
        }
        return holderCount == 0 || (!exclusive && next.wantedMode == LockMode.SHARED);
    }

    private void unlink(LockOwner owner) {
        LockOwner before = owner.ahead;
        LockOwner after = owner.behind;
        if (before == null) {
            first = after;
        } else {
            before.behind = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.ahead = before;
        }
        owner.ahead = null;
        owner.behind = null;
    }

    private int indexOf(LockOwner owner) {
        for (int i = 0; i < holderCount; i++) {
            if (holders[i] == owner) {
                return i;
            }
        }
        return -1;
    }

    /// Forgets the last holder, to be used for another lock.
    void clear() {
        holders[0] = null;
        holderCount = 0;
        exclusive = false;
    }
}
