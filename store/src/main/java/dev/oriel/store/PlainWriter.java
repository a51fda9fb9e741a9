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
/// - A change that is refused (a full disk, a damaged page) changes nothing. Of ASYNC ones, which are
///   acknowledged before they are committed, those that wait for one commit may be lost so: the call that meets
///   it, or the next change, flush or close, then does nothing but say how many they were. After a commit that
///   found no room each change is committed by itself, and refused to whoever makes it, until there was room for
///   as many as share a commit. Others can write meanwhile, and make room.
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

    /// So many changes that add something are still to be committed one by one, because there was no room.
    private int careful;

    /// What the attendant met, for whoever calls next.
    private @Nullable Throwable untold;

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
        TreeEditor.checkLengths(key, value);
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
        try {
            direct.put(tree, key, value);
        } catch (RuntimeException | Error e) {
            throw failed(direct, e);
        }
        changed();
    }

    /// Adds an entry; false, and nothing done, where the key exists.
    ///
    /// @throws LimitException as [#put]
    public synchronized boolean insert(Tree tree, Slice key, Slice value) {
        TreeEditor.checkLengths(key, value);
        WriteTransaction direct = begin();
        if (direct == null) {
            return store.transact(
                    Isolation.SNAPSHOT,
                    transaction -> {
                        transaction.durability(durability);
                        return transaction.insert(tree, key, value);
                    });
        }
        boolean added;
        try {
            added = direct.insert(tree, key, value);
        } catch (RuntimeException | Error e) {
            throw failed(direct, e);
        }
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
        boolean removed;
        try {
            removed = direct.delete(tree, key);
        } catch (RuntimeException | Error e) {
            throw failed(direct, e);
        }
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
        T result;
        try {
            result = changeOrNothing(direct, work);
        } catch (RuntimeException | Error e) {
            throw failed(direct, e);
        }
        changed();
        return result;
    }

    private static <T extends @Nullable Object> T changeOrNothing(
            WriteTransaction direct, Store.Work<T> work) {
        Transaction.Savepoint before = direct.savepoint();
        boolean done = false;
        try {
            T result = work.in(direct);
            done = true;
            return result;
        } finally {
            if (!direct.isBroken()) {
                if (!done) {
                    direct.rollbackTo(before);
                }
                direct.release(before);
            }
        }
    }

    /// A change has failed, for `reason`. Where that was half way, what waited for its commit is lost with it; and
    /// where nothing waits, others may write.
    private RuntimeException failed(WriteTransaction direct, Throwable reason) {
        boolean broken = direct.isBroken();
        if (!broken && changes > 0) {
            return thrown(reason);
        }
        int lost = changes;
        undo(reason);
        return thrown(lost == 0 ? reason : lost(reason, lost));
    }

    /// Gives up what waits, and with it the right to be the only one who writes.
    private void undo(Throwable reason) {
        WriteTransaction undone = open;
        open = null;
        changes = 0;
        try {
            if (undone != null) {
                undone.close();
            }
        } catch (RuntimeException | Error e) { // the store is poisoned by now
            reason.addSuppressed(e);
        }
    }

    private static RuntimeException lost(Throwable reason, int changes) {
        String context = "changes=" + changes;
        return reason instanceof LimitException
                ? new LimitException(
                        "There is no room for the newest changes, which were acknowledged and waited for"
                                + " their commit: they are undone; free space on the disk, or delete"
                                + " something",
                        context,
                        reason)
                : new StorageException(
                        "The newest changes, which were acknowledged and waited for their commit, are"
                                + " undone, because of a failure; make them again",
                        context,
                        reason);
    }

    private static RuntimeException thrown(Throwable reason) {
        return switch (reason) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(reason);
        };
    }

    /// What to change with: in place, or null where others write. Commits before where enough waits.
    private @Nullable WriteTransaction begin() {
        checkOpen();
        tell();
        if (open != null && isDue()) {
            commit(true);
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
        if (durability != Durability.ASYNC || careful > 0) {
            boolean grows = store.committer().editor().grows();
            commit(false);
            careful -= grows && careful > 0 ? 1 : 0;
        } else if (asleep && attendant != null) {
            asleep = false;
            LockSupport.unpark(attendant);
        }
    }

    /// Commits what waits; where that fails, it is undone.
    ///
    /// @param acknowledged whether the caller that it came from has returned
    private void commit(boolean acknowledged) {
        WriteTransaction committed = open;
        if (committed == null) {
            return;
        }
        int waiting = changes;
        try {
            committed.durability(durability);
            committed.commit();
            open = null;
            changes = 0;
        } catch (RuntimeException | Error e) {
            boolean there = committed.hasEnded(); // as where its sync has failed
            undo(e);
            careful = e instanceof LimitException ? CHANGES_MAX : careful;
            throw thrown(acknowledged && waiting > 0 && !there ? lost(e, waiting) : e);
        }
    }

    /// Says what nobody has heard of yet.
    private void tell() {
        Throwable told = untold;
        if (told != null) {
            untold = null;
            throw thrown(told);
        }
    }

    /// Commits what waits, so that others see it.
    ///
    /// @throws LimitException if the disk is full; what waited is undone then
    public synchronized void flush() {
        checkOpen();
        tell();
        commit(true);
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
                commit(true);
            } catch (Throwable e) { // whoever calls next hears of it, and this thread goes on
                untold = e;
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
    ///
    /// @throws LimitException if the disk is full; what waited is undone then
    @Override
    public void close() {
        try {
            end();
        } finally {
            LockSupport.unpark(attendant); // where there is one
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        store.forget(this);
        commit(true);
        tell();
    }
}
