package dev.oriel.store.lock;

import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Tree;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The owner of locks: one for each writing transaction, reused for the next. It knows the hashes that it holds;
/// their modes are known to the [LockStripe] alone.
///
/// Belongs to one thread at a time. The wait state is written by other threads too: under the monitor of the stripe
/// of `wantedHash`.
public final class LockOwner implements LockHolder {
    /// Maximum length of the array kept for the next transaction.
    static final int HASHES_KEPT_MAX = 8192;

    private static final int HASHES_MIN = 16;

    /// Stands in a table for a lock that this owner alone holds SHARED.
    final Sharer sharer = new Sharer(this);

    public final TreeLocks trees = new TreeLocks();

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private long waits;
    private long waitedNanos;
    private long[] hashes = new long[HASHES_MIN];
    private int count;

    /// Wait state: the queue, the lock wanted, and the neighbors in the queue.
    private volatile @Nullable LockQueue queue;

    LockMode wantedMode = LockMode.SHARED;
    long wantedHash;
    boolean upgrading;
    long waitBegunNanos;
    @Nullable Tree wantedTree;
    @Nullable LockOwner ahead;
    @Nullable LockOwner behind;
    private @Nullable Thread thread;

    /// Number of the last walk of the [WaitGraph] that visited it.
    long seenIn;

    /// An owner that is the only sharer of a lock.
    static final class Sharer implements LockHolder {
        private final LockOwner owner;

        Sharer(LockOwner owner) {
            this.owner = owner;
        }

        LockOwner owner() {
            return owner;
        }
    }

    /// Number that is unique in its store while the store is open.
    public long number() {
        return number;
    }

    /// Number of its waits.
    public long waits() {
        return waits;
    }

    public long waitedNanos() {
        return waitedNanos;
    }

    /// Counts a finished wait, whatever its result.
    void waited(long nanos) {
        waits++;
        waitedNanos += nanos;
    }

    /// Number of locks held.
    public int count() {
        return count;
    }

    public long hash(int index) {
        return hashes[index];
    }

    /// Bytes of the list of hashes.
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

    /// The queue in which it waits, or null while it does not wait.
    @Nullable LockQueue queue() {
        return queue;
    }

    /// Begins a wait of the calling thread.
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
