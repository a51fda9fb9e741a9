package dev.oriel.store;

import dev.oriel.store.Transaction.LockMode;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Who holds locks: one for each writing transaction, used again for the next. It knows the hashes
/// that it holds; in which mode is known to the [LockStripe] alone.
///
/// Belongs to one thread at a time. What has to do with waiting is written by others too: under the
/// monitor of the stripe of `wantedHash`.
final class LockOwner implements LockHolder {
    /// A longer array is not kept for the next transaction.
    static final int HASHES_KEPT_MAX = 8192;

    private static final int HASHES_MIN = 16;

    /// Stands in a table for a lock that this owner alone holds SHARED.
    final Sharer sharer = new Sharer(this);

    final TreeLocks trees = new TreeLocks();

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private long waits;
    private long waitedNanos;
    private long[] hashes = new long[HASHES_MIN];
    private int count;

    /// While it waits: in which queue, for what, and who came before and after.
    private volatile @Nullable LockQueue queue;

    LockMode wantedMode = LockMode.SHARED;
    long wantedHash;
    boolean upgrading;
    long waitBegunNanos;
    @Nullable Tree wantedTree;
    @Nullable LockOwner ahead;
    @Nullable LockOwner behind;
    private @Nullable Thread thread;

    /// The last walk of the [WaitGraph] that came by.
    long seenIn;

    /// An owner, as the only one who shares a lock.
    static final class Sharer implements LockHolder {
        private final LockOwner owner;

        Sharer(LockOwner owner) {
            this.owner = owner;
        }

        LockOwner owner() {
            return owner;
        }
    }

    /// Tells it from the others of its store, for as long as that is open.
    long number() {
        return number;
    }

    /// How often it has waited.
    long waits() {
        return waits;
    }

    long waitedNanos() {
        return waitedNanos;
    }

    /// A wait is over, however it has ended.
    void waited(long nanos) {
        waits++;
        waitedNanos += nanos;
    }

    /// How many locks it holds.
    int count() {
        return count;
    }

    long hash(int index) {
        return hashes[index];
    }

    /// Bytes that the list of hashes takes.
    long bytes() {
        return 8L * hashes.length;
    }

    /// Makes room for one more hash: before a lock is granted, since after it nothing may fail.
    void reserve() {
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * count);
        }
    }

    void add(long hash) {
        hashes[count++] = hash;
    }

    /// Forgets all hashes.
    void clear() {
        count = 0;
        trees.clear();
        if (hashes.length > HASHES_KEPT_MAX) {
            hashes = new long[HASHES_MIN];
        }
    }

    /// The queue it stands in, or null while it does not wait.
    @Nullable LockQueue queue() {
        return queue;
    }

    /// Begins a wait of the thread that runs this.
    void waitIn(LockQueue in, LockMode mode, long hash, boolean upgrade) {
        wantedMode = mode;
        wantedHash = hash;
        upgrading = upgrade;
        thread = Thread.currentThread();
        queue = in;
    }

    /// Ends the wait, with the lock or without it.
    void waitEnded() {
        Thread waiting = thread;
        thread = null;
        queue = null;
        LockSupport.unpark(waiting);
    }
}
