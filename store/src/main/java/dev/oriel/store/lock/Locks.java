package dev.oriel.store.lock;

import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.LockWait;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.store.page.KeyHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// All locks of a store: on keys, on whole trees, and on anything else that a 64-bit hash names.
///
/// **Locks are identified by hash alone**; no key is copied. If two keys have the same hash, a lock on one is a lock on
/// the other. A transaction may then wait needlessly, or get HELD for a key that it never locked. So HELD does not
/// prove that the caller has read this key since it was locked; the caller must check its own writes.
///
/// SHARED is compatible with SHARED, EXCLUSIVE with nothing. A SHARED holder may ask for EXCLUSIVE, and goes before
/// all waiters. All others are served in order of arrival ([LockQueue]). Locks are released all at once, at the end
/// of a transaction. A deadlock is found when it arises, and the transaction that closes the cycle gets the
/// exception ([WaitGraph]).
///
/// For any number of threads, each with an owner of its own. Order of monitors: `waiting`, then one stripe's. No
/// thread holds two stripes' monitors at a time, and the store takes no lock of its own below them. An uncontended
/// lock takes its stripe's monitor alone; it is granted whatever the thread's interrupt flag says.
public final class Locks {
    private static final int STRIPE_BITS = 6;

    /// The result of a lock request.
    public enum Grant {
        /// The owner did not hold the lock and does now.
        NEW,
        /// The owner held the lock SHARED and holds it EXCLUSIVE now.
        UPGRADED,
        /// The owner held the lock in a mode that suffices.
        HELD,
        /// Another owner is in the way, and the request was not to wait.
        REFUSED
    }

    private final LockStripe[] stripes = new LockStripe[1 << STRIPE_BITS];
    private final LongSupplier clock;

    /// Held to begin and to end a wait early, and to walk the graph.
    private final Object waiting = new Object();

    private final WaitGraph graph = new WaitGraph(stripes);

    /// Guarded by `waiting`.
    private final Set<Thread> waiters = new HashSet<>();

    private volatile boolean closed;

    /// Run by each waiter whenever it wakes up: an exception from it ends the wait.
    private volatile Runnable poll = () -> {};

    public Locks(LongSupplier clock) {
        this.clock = clock;
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new LockStripe();
        }
    }

    /// The name of the lock on `key` in the tree at `root`.
    public static long hash(long root, Slice key) {
        return KeyHash.of(root, key);
    }

    /// The name of the lock on the whole tree at `root`; no key has it.
    public static long hash(long root) {
        return KeyHash.of(root);
    }

    static int stripeIndex(long hash) {
        return (int) (hash >>> (64 - STRIPE_BITS));
    }

    /// [#lock(LockOwner, Tree, long, LockMode, Wait)] for a resource that is in no tree.
    public Grant lock(LockOwner owner, long hash, LockMode mode, Wait wait) {
        return lock(owner, null, hash, mode, wait);
    }

    /// Locks the resource that `hash` names for `owner`, until [#release]. A timeout of 0 does not wait at all.
    ///
    /// @param tree for the message of an error
    /// @throws ConflictException LOCKED if the lock was not granted in time; DEADLOCK if waiting would never end;
    ///     INTERRUPTED if the thread was interrupted while it waited
    public Grant lock(LockOwner owner, @Nullable Tree tree, long hash, LockMode mode, Wait wait) {
        owner.reserve();
        Grant grant = stripes[stripeIndex(hash)].lock(owner, hash, mode);
        if (grant == Grant.REFUSED && wait.kind() != Wait.Kind.SKIP) {
            if (wait.kind() == Wait.Kind.NOWAIT || wait.timeoutMillis() <= 0) {
                throw conflict(Reason.LOCKED, tree, mode, 0);
            }
            grant = await(owner, tree, hash, mode, wait.timeoutMillis());
        }
        if (grant == Grant.NEW) {
            owner.add(hash);
        }
        return grant;
    }

    /// Ends all waits, current and future ones, with a [ClosedException]. Granted locks stay held.
    public void close() {
        closed = true;
        synchronized (waiting) {
            waiters.forEach(LockSupport::unpark);
        }
    }

    /// Sets the task that waiters run whenever they wake up; an exception from it ends the wait.
    public void poll(Runnable asked) {
        poll = asked;
    }

    public Runnable poll() {
        return poll;
    }

    /// Wakes all waiters, which run their task again.
    public void wake() {
        synchronized (waiting) {
            waiters.forEach(LockSupport::unpark);
        }
    }

    private Grant await(
            LockOwner owner, @Nullable Tree tree, long hash, LockMode mode, long timeoutMillis) {
        long begun = clock.getAsLong();
        LockStripe stripe = stripes[stripeIndex(hash)];
        boolean waits = false;
        boolean granted = false;
        try {
            synchronized (waiting) {
                Grant grant = stripe.lockOrQueue(owner, hash, mode);
                if (grant != Grant.REFUSED) {
                    granted = true;
                    return grant;
                }
                owner.waitBegunNanos = begun;
                owner.wantedTree = tree;
                if (graph.closesCircle(owner)) {
                    stripe.giveUp(owner);
                    throw conflict(Reason.DEADLOCK, tree, mode, 0);
                }
                waits = true;
                waiters.add(Thread.currentThread());
            }
            awaitGranted(owner, tree, stripe, mode, begun, timeoutMillis);
            granted = true;
        } finally {
            if (!granted) {
                leave(stripe, owner, hash, mode);
            }
            if (waits) {
                synchronized (waiting) {
                    waiters.remove(Thread.currentThread());
                }
                owner.waited(clock.getAsLong() - begun);
            }
        }
        return owner.upgrading ? Grant.UPGRADED : Grant.NEW;
    }

    /// Cleans up after any failure of the wait (no memory, no stack). An abandoned owner must neither stand in a
    /// queue nor hold a lock that it does not know of. A lock granted meanwhile is released with the rest.
    private void leave(LockStripe stripe, LockOwner owner, long hash, LockMode mode) {
        boolean queued = giveUp(stripe, owner);
        if (!queued && !owner.upgrading && stripe.holds(owner, hash, mode)) {
            owner.add(hash);
        }
    }

    private void awaitGranted(
            LockOwner owner,
            @Nullable Tree tree,
            LockStripe stripe,
            LockMode mode,
            long begun,
            long timeoutMillis) {
        long timeout = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (owner.queue() != null) {
            poll(stripe, owner);
            boolean interrupted = Thread.currentThread().isInterrupted();
            long waited = clock.getAsLong() - begun;
            if ((closed || interrupted || waited >= timeout) && giveUp(stripe, owner)) {
                if (closed) {
                    throw new ClosedException(
                            "The database was closed during a wait for a lock", "");
                }
                Reason reason = interrupted ? Reason.INTERRUPTED : Reason.LOCKED;
                throw conflict(reason, tree, mode, TimeUnit.NANOSECONDS.toMillis(waited));
            }
            if (owner.queue() != null) {
                LockSupport.parkNanos(this, timeout - waited);
            }
        }
    }

    /// The waits at this moment, read stripe by stripe while other threads continue.
    public List<LockWait> waits() {
        List<LockWait> waits = new ArrayList<>();
        long now = clock.getAsLong();
        for (LockStripe stripe : stripes) {
            stripe.addWaits(waits, now);
        }
        return waits;
    }

    /// Runs the task; if it throws, ends the wait. A lock granted meanwhile is kept, and the owner checks by
    /// itself.
    private void poll(LockStripe stripe, LockOwner owner) {
        try {
            poll.run();
        } catch (RuntimeException ended) {
            if (giveUp(stripe, owner)) {
                throw ended;
            }
        }
    }

    private boolean giveUp(LockStripe stripe, LockOwner owner) {
        synchronized (waiting) {
            return stripe.giveUp(owner);
        }
    }

    private static ConflictException conflict(
            Reason reason, @Nullable Tree tree, LockMode mode, long waitedMillis) {
        String message =
                switch (reason) {
                    case DEADLOCK ->
                            "Transactions wait for each other's locks in a circle; roll back and"
                                    + " run the transaction again";
                    case INTERRUPTED ->
                            "The wait for another transaction's lock was interrupted; roll back, or"
                                    + " try again";
                    case LOCKED, CHANGED, SNAPSHOT_TOO_OLD, IDLE ->
                            "Another transaction holds a lock and did not end in time; end it, or"
                                    + " try again";
                };
        String where = tree == null ? "" : "tree=" + tree.name() + " ";
        return new ConflictException(
                reason, message, where + "mode=" + mode + " waitedMillis=" + waitedMillis);
    }

    /// Whether `owner` holds the lock, in this mode or a stronger one.
    boolean holds(LockOwner owner, long hash, LockMode mode) {
        return stripes[stripeIndex(hash)].holds(owner, hash, mode);
    }

    /// Releases all locks of `owner`, and wakes the waiters that may proceed.
    public void release(LockOwner owner) {
        for (int i = owner.count() - 1; i >= 0; i--) {
            long hash = owner.hash(i);
            stripes[stripeIndex(hash)].release(owner, hash);
        }
        owner.clear();
    }

    /// Number of locks held; a shared one counts once.
    public int count() {
        int count = 0;
        for (LockStripe stripe : stripes) {
            count += stripe.count();
        }
        return count;
    }

    /// Approximate bytes of the tables.
    long bytes() {
        long bytes = 0;
        for (LockStripe stripe : stripes) {
            bytes += stripe.bytes();
        }
        return bytes;
    }
}
