package dev.oriel.store.lock;

import dev.oriel.store.LockWait;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Tree;
import dev.oriel.store.lock.Locks.Grant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some of the locks of a store: a table from hashes to holders, open addressing with linear probing and removal by
/// shifting entries back. Its monitor guards the table, the queues in it, and the wait state of the owners in
/// these.
///
/// A lock held by one owner is its entry and nothing else; a [LockQueue] comes with the second sharer or the first
/// waiter, and goes with them.
final class LockStripe {
    private static final int SLOTS_MIN = 16;

    /// Capacity kept even if the table is empty, so that usual transactions find it ready.
    private static final int SLOTS_KEPT = 1024;

    private long[] hashes = new long[SLOTS_MIN];
    private @Nullable LockHolder[] holders = new LockHolder[SLOTS_MIN];
    private int count;

    /// A spare queue, so that often shared locks allocate none.
    private @Nullable LockQueue spare;

    /// Grants the lock if no other owner is in the way.
    synchronized Grant lock(LockOwner owner, long hash, LockMode mode) {
        int slot = slot(hash);
        LockHolder holder = holders[slot];
        if (holder == null) {
            insert(slot, hash, mode == LockMode.EXCLUSIVE ? owner : owner.sharer);
            return Grant.NEW;
        }
        if (holder == owner) {
            return Grant.HELD;
        }
        if (holder == owner.sharer) {
            if (mode == LockMode.SHARED) {
                return Grant.HELD;
            }
            holders[slot] = owner;
            return Grant.UPGRADED;
        }
        if (holder instanceof LockQueue queue) {
            return queue.lock(owner, mode);
        }
        if (holder instanceof LockOwner.Sharer && mode == LockMode.SHARED) {
            queueAt(slot, holder).add(owner, false);
            return Grant.NEW;
        }
        return Grant.REFUSED;
    }

    /// Like [#lock], but a refused owner is in the queue afterwards.
    synchronized Grant lockOrQueue(LockOwner owner, long hash, LockMode mode) {
        Grant grant = lock(owner, hash, mode);
        if (grant == Grant.REFUSED) {
            int slot = slot(hash);
            LockHolder holder = holders[slot];
            if (holder == null) {
                throw new AssertionError("refused by nobody");
            }
            queueAt(slot, holder).enqueue(owner, mode, hash);
        }
        return grant;
    }

    /// Takes `owner` out of the queue; false if it is no longer there, because the lock was granted.
    synchronized boolean giveUp(LockOwner owner) {
        LockQueue queue = owner.queue();
        if (queue == null) {
            return false;
        }
        queue.giveUp(owner);
        simplify(slot(owner.wantedHash), queue);
        return true;
    }

    synchronized void release(LockOwner owner, long hash) {
        int slot = slot(hash);
        LockHolder holder = holders[slot];
        if (holder instanceof LockQueue queue) {
            queue.release(owner);
            simplify(slot, queue);
        } else {
            assert holder == owner || holder == owner.sharer : "released by somebody else";
            remove(slot);
        }
    }

    synchronized boolean holds(LockOwner owner, long hash, LockMode mode) {
        LockHolder holder = holders[slot(hash)];
        if (holder instanceof LockQueue queue) {
            return queue.holds(owner, mode);
        }
        return holder == owner || (holder == owner.sharer && mode == LockMode.SHARED);
    }

    /// Tells `graph` the owners that `owner` waits for, if any. The first in the queue waits for all holders of the
    /// lock, and the rest for the first.
    synchronized void addBlockers(LockOwner owner, WaitGraph graph) {
        LockQueue queue = owner.queue();
        if (queue == null) {
            return;
        }
        LockOwner first = queue.first();
        if (first != null && first != owner) {
            graph.add(first);
            return;
        }
        for (int i = 0; i < queue.holderCount(); i++) {
            LockOwner holder = queue.holder(i);
            if (holder != null && holder != owner) {
                graph.add(holder);
            }
        }
    }

    /// Adds the waits in this stripe.
    synchronized void addWaits(List<LockWait> into, long nowNanos) {
        for (LockHolder holder : holders) {
            if (holder instanceof LockQueue queue) {
                LockOwner first = queue.first();
                for (LockOwner next = first; next != null; next = next.behind) {
                    List<Long> blockers = new ArrayList<>();
                    if (first != null && first != next) {
                        blockers.add(first.number());
                    } else {
                        for (int i = 0; i < queue.holderCount(); i++) {
                            LockOwner one = queue.holder(i);
                            if (one != null && one != next) {
                                blockers.add(one.number());
                            }
                        }
                    }
                    Tree tree = next.wantedTree;
                    into.add(
                            new LockWait(
                                    next.number(),
                                    List.copyOf(blockers),
                                    tree == null ? "" : tree.name(),
                                    next.wantedMode,
                                    nowNanos - next.waitBegunNanos));
                }
            }
        }
    }

    /// Number of locks held.
    synchronized int count() {
        return count;
    }

    /// Approximate bytes of the table.
    synchronized long bytes() {
        return 12L * hashes.length;
    }

    /// The slot of `hash`, or the free one for it.
    private int slot(long hash) {
        int mask = hashes.length - 1;
        int slot = (int) hash & mask;
        while (holders[slot] != null && hashes[slot] != hash) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void insert(int free, long hash, LockHolder holder) {
        int slot = free;
        if (2 * (count + 1) > hashes.length) {
            resize(2 * hashes.length);
            slot = slot(hash);
        }
        hashes[slot] = hash;
        holders[slot] = holder;
        count++;
    }

    /// Moves up the entries after `slot` that a search would not find across the hole.
    private void remove(int slot) {
        int mask = hashes.length - 1;
        int hole = slot;
        for (int i = (slot + 1) & mask; holders[i] != null; i = (i + 1) & mask) {
            int fromHome = (i - (int) hashes[i]) & mask;
            if (fromHome >= ((i - hole) & mask)) {
                hashes[hole] = hashes[i];
                holders[hole] = holders[i];
                hole = i;
            }
        }
        holders[hole] = null;
        count--;
        if (hashes.length > SLOTS_KEPT && count < hashes.length / 16) {
            resize(Math.max(SLOTS_KEPT, hashes.length / 4));
        }
    }

    private void resize(int slots) {
        long[] oldHashes = hashes;
        @Nullable LockHolder[] oldHolders = holders;
        long[] newHashes = new long[slots];
        holders = new LockHolder[slots];
        hashes = newHashes;
        for (int i = 0; i < oldHolders.length; i++) {
            LockHolder holder = oldHolders[i];
            if (holder != null) {
                int slot = slot(oldHashes[i]);
                hashes[slot] = oldHashes[i];
                holders[slot] = holder;
            }
        }
    }

    private LockQueue queueAt(int slot, LockHolder holder) {
        if (holder instanceof LockQueue queue) {
            return queue;
        }
        LockQueue queue = spare;
        if (queue == null) {
            queue = new LockQueue();
        }
        spare = null;
        switch (holder) {
            case LockOwner one -> queue.add(one, true);
            case LockOwner.Sharer one -> queue.add(one.owner(), false);
            case LockQueue _ -> throw new AssertionError("a queue in a queue");
        }
        holders[slot] = queue;
        return queue;
    }

    /// Replaces a queue that is no longer needed by the one remaining holder.
    private void simplify(int slot, LockQueue queue) {
        if (queue.isNeeded()) {
            return;
        }
        LockOwner left = queue.holder(0);
        if (left == null) {
            remove(slot);
        } else {
            holders[slot] = queue.isExclusive() ? left : left.sharer;
        }
        queue.clear();
        spare = queue;
    }
}
