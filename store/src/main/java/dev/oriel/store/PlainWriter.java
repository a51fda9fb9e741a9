package dev.oriel.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes without transactions: each change is a commit of its own, or shares one with those that came with
/// it, and nobody has to say so. Begun with [Store#withoutTransactions].
///
/// ```
/// put put put put | put put ...        ASYNC: one commit for what comes within some milliseconds
/// put | put | put | put |              WRITTEN, SYNC: each is as durable as that when the call returns
/// ```
/// - A change is there as a whole or not at all, also after a crash, and changes are there in their order:
///   some of the newest ASYNC ones may be missing.
/// - Where others write, each change is a small transaction among theirs, and is tried again where they are
///   in the way. Where nobody else does, pages are changed in place, and no lock on a key is taken.
///   Others who want to write wait for the commit that is due, some milliseconds at most.
/// - What waits for its commit is seen by this object at once, and by others when it is committed. It is
///   bounded by number, by memory and by time, so neither does a long run of changes
///   grow, nor a short one stay unwritten.
///
/// May be used by any number of threads, one at a time.
public final class PlainWriter implements AutoCloseable {
    /// So many changes share a commit at most, and so many pages.
    private static final int CHANGES_MAX = 1024;

    private static final int PAGES_MAX = 512;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Store store;
    private final Durability durability;
    private final @Nullable Thread attendant;
    private volatile boolean asleep = true;
    private volatile boolean closed;

    /// The changes that wait for their commit; null where there are none.
    private @Nullable WriteTransaction open;

    private final Slice found = new Slice();
    private int changes;
    private long firstNanos;

    PlainWriter(Store store, Durability durability) {
        this.store = store;
        this.durability = durability;
        this.attendant =
                durability == Durability.ASYNC && store.threads().attending()
                        ? store.threads().start("oriel-plain", this::attend)
                        : null;
    }

    /// Adds or replaces an entry.
    ///
    /// @throws LimitException if key or value are too long, or the disk is full; nothing is changed then
    public synchronized void put(Tree tree, Slice key, Slice value) {
        WriteTransaction direct = begin();
        if (direct == null) {
            store.transact(
                    Isolation.SNAPSHOT,
                    transaction -> {
                        transaction.durability(durability);
                        transaction.put(tree, key, value);
                        return true;
                    });
            return;
        }
        TreeEditor.checkLengths(key, value);
        direct.put(tree, key, value);
        changed();
    }

    /// Adds an entry; false, and nothing done, where the key exists.
    ///
    /// @throws LimitException as [#put]
    public synchronized boolean insert(Tree tree, Slice key, Slice value) {
        WriteTransaction direct = begin();
        if (direct == null) {
            return store.transact(
                    Isolation.SNAPSHOT,
                    transaction -> {
                        transaction.durability(durability);
                        return transaction.insert(tree, key, value);
                    });
        }
        TreeEditor.checkLengths(key, value);
        boolean added = direct.insert(tree, key, value);
        changed();
        return added;
    }

    /// Removes an entry; false where there was none.
    ///
    /// @throws LimitException if the disk is full; nothing is changed then
    public synchronized boolean delete(Tree tree, Slice key) {
        WriteTransaction direct = begin();
        if (direct == null) {
            return store.transact(
                    Isolation.SNAPSHOT,
                    transaction -> {
                        transaction.durability(durability);
                        return transaction.delete(tree, key);
                    });
        }
        boolean removed = direct.delete(tree, key);
        changed();
        return removed;
    }

    /// Copies what `key` maps to into `value`; false where there is nothing.
    public synchronized boolean get(Tree tree, Slice key, Slice value) {
        checkOpen();
        WriteTransaction direct = open;
        if (direct != null) {
            return copy(direct, tree, key, value);
        }
        try (Transaction transaction = store.beginRead()) {
            return copy(transaction, tree, key, value);
        }
    }

    private boolean copy(Transaction from, Tree tree, Slice key, Slice value) {
        boolean there = from.get(tree, key, found);
        if (there) {
            value.setCopy(found);
        }
        return there;
    }

    /// Does all of `work` as one change, as for [Records], whose changes are of more than one entry. It must
    /// neither commit nor set savepoints that it leaves; what it throws undoes it.
    public synchronized <T extends @Nullable Object> T change(Store.Work<T> work) {
        WriteTransaction direct = begin();
        if (direct == null) {
            return store.transact(
                    Isolation.SNAPSHOT,
                    transaction -> {
                        transaction.durability(durability);
                        return work.in(transaction);
                    });
        }
        Transaction.Savepoint before = direct.savepoint();
        boolean done = false;
        try {
            T result = work.in(direct);
            done = true;
            return result;
        } finally {
            if (!done) {
                direct.rollbackTo(before);
            }
            direct.release(before);
            changed();
        }
    }

    /// What to change with: in place, or null where others write. Commits before where enough waits.
    private @Nullable WriteTransaction begin() {
        checkOpen();
        if (open != null && isDue()) {
            commit();
        }
        if (open == null) {
            open = store.writers().tryDirect();
            changes = 0;
            firstNanos = open == null ? 0 : store.nanos();
        }
        return open;
    }

    private boolean isDue() {
        return changes >= CHANGES_MAX
                || store.writer().modifiedPages() >= PAGES_MAX
                || ((changes & 63) == 63 && isOld());
    }

    private boolean isOld() {
        return store.nanos() - firstNanos >= WAIT_NANOS;
    }

    private void changed() {
        changes++;
        if (durability != Durability.ASYNC) {
            commit();
        } else if (asleep && attendant != null) {
            asleep = false;
            LockSupport.unpark(attendant);
        }
    }

    /// Commits what waits. Where there is no room for it, it goes on waiting.
    private void commit() {
        WriteTransaction committed = open;
        if (committed != null) {
            committed.durability(durability);
            try {
                committed.commit();
            } finally {
                open = committed.hasEnded() ? null : committed; // as where its sync has failed
            }
        }
    }

    /// Commits what waits, so that others see it.
    ///
    /// @throws LimitException if the disk is full; it goes on waiting then
    public synchronized void flush() {
        checkOpen();
        commit();
    }

    /// Commits what nobody adds to, some milliseconds after it came.
    private void attend() {
        while (!closed) {
            if (asleep) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, WAIT_NANOS);
                commitWhereOld();
            }
        }
    }

    private synchronized void commitWhereOld() {
        if (!closed && open != null && isOld()) {
            try {
                commit();
            } catch (LimitException e) {
                asleep = true; // whoever changes something next meets it again
            }
        }
        asleep |= open == null;
    }

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("This writer has been closed", "");
        }
    }

    /// Commits what waits, and ends. A second call does nothing.
    @Override
    public void close() {
        end();
        Thread ending = attendant;
        if (ending != null) {
            LockSupport.unpark(ending);
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        store.forget(this);
        try {
            commit();
        } finally {
            if (open != null) {
                open.close();
                open = null;
            }
        }
    }
}
