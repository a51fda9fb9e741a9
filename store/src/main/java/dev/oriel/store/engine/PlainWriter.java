package dev.oriel.store.engine;

import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.transaction.CallGuard;
import dev.oriel.store.transaction.Transactions;
import dev.oriel.store.transaction.WriteTransaction;
import dev.oriel.store.tree.TreeEditor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes without explicit transactions: each change is a commit of its own, or shares one with its neighbours in
/// time. Begun with [Store#withoutTransactions].
///
/// ```
/// put put put put | put put ...        ASYNC: one commit for all changes within some milliseconds
/// put | put | put | put |              WRITTEN, SYNC: each change has that durability when the call returns
/// ```
///
/// - Changes are atomic and keep their order, also across a crash; some of the newest ASYNC ones may be missing.
///
/// - While other writers are active, each change is a small transaction among theirs, retried after a conflict.
///   Otherwise pages are changed in place, without key locks. Other transactions that want to write then wait for
///   the next commit, some milliseconds at most.
///
/// - Uncommitted changes are visible to this object at once, and to others after the commit. They are bounded by
///   number, memory and time, so a long run of changes cannot grow, nor a short one stay uncommitted.
///
/// - A change that is refused (a full disk, a damaged page) changes nothing. ASYNC changes are acknowledged
///   before their commit, so a failure may lose the changes that share one. The call that meets the failure, or
///   the next change, flush or close, then only reports their number.
///
/// - After a commit that found no room, each change is committed by itself, and its caller gets the refusal. That
///   lasts until as many as can share a commit have found room. Other transactions can write meanwhile, and make
///   room.
///
/// May be used by any number of threads, one at a time.
public final class PlainWriter implements AutoCloseable {
    /// Maximum number of changes that share a commit; `PAGES_MAX` is the maximum number of pages.
    private static final int CHANGES_MAX = 1024;

    private static final int PAGES_MAX = 512;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Transactions transactions;
    private final Consumer<PlainWriter> whenClosed;
    private final Durability durability;
    private final @Nullable Thread attendant;
    private volatile boolean asleep = true;
    private volatile boolean closed;

    /// The open transaction with the uncommitted changes; null if there is none.
    private @Nullable WriteTransaction open;

    private final Slice found = new Slice();
    private int changes;
    private long firstNanos;

    /// Number of growing changes still to be committed one by one, because there was no room.
    private int careful;

    /// Failure in the attendant thread, to be thrown at the next call.
    private @Nullable Throwable untold;

    PlainWriter(
            Transactions transactions, Durability durability, Consumer<PlainWriter> whenClosed) {
        this.whenClosed = whenClosed;
        this.transactions = transactions;
        this.durability = durability;
        this.attendant =
                durability == Durability.ASYNC && transactions.core().threads().attending()
                        ? transactions.core().threads().start("oriel-plain", this::attend)
                        : null;
    }

    /// Adds or replaces an entry.
    ///
    /// @throws LimitException if key or value are too long, or the disk is full; nothing is changed then
    public synchronized void put(Tree tree, Slice key, Slice value) {
        TreeEditor.checkLengths(key, value);
        WriteTransaction direct = begin();
        if (direct == null) {
            transactions.transact(
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

    /// Adds an entry; false, with nothing done, if the key exists.
    ///
    /// @throws LimitException as [#put]
    public synchronized boolean insert(Tree tree, Slice key, Slice value) {
        TreeEditor.checkLengths(key, value);
        WriteTransaction direct = begin();
        if (direct == null) {
            return transactions.transact(
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

    /// Removes an entry; false if there was none.
    ///
    /// @throws LimitException if the disk is full; nothing is changed then
    public synchronized boolean delete(Tree tree, Slice key) {
        WriteTransaction direct = begin();
        if (direct == null) {
            return transactions.transact(
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

    /// Copies the value of `key` into `value`; false if there is no entry.
    public synchronized boolean get(Tree tree, Slice key, Slice value) {
        checkOpen();
        WriteTransaction direct = open;
        if (direct != null) {
            return copy(direct, tree, key, value);
        }
        try (Transaction transaction = transactions.beginRead(new CallGuard())) {
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

    /// Does all of `work` as one change, as `Records` needs, whose changes span several entries. It must neither
    /// commit nor leave savepoints set; an exception from it undoes the change.
    public synchronized <T extends @Nullable Object> T change(Transaction.Work<T> work) {
        WriteTransaction direct = begin();
        if (direct == null) {
            return transactions.transact(
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
            WriteTransaction direct, Transaction.Work<T> work) {
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

    /// Handles the failure of a change. If it was partly applied, the uncommitted changes are lost with it. If
    /// there are none, other transactions may write.
    private RuntimeException failed(WriteTransaction direct, Throwable reason) {
        boolean broken = direct.isBroken();
        if (!broken && changes > 0) {
            return thrown(reason);
        }
        int lost = changes;
        undo(reason);
        return thrown(lost == 0 ? reason : lost(reason, lost));
    }

    /// Rolls back the uncommitted changes and gives up exclusivity.
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

    /// Returns the transaction to change pages in place with, or null if other writers are active. Commits first
    /// if enough changes have gathered.
    private @Nullable WriteTransaction begin() {
        checkOpen();
        tell();
        if (open != null && isDue()) {
            commit(true);
        }
        if (open == null) {
            open = transactions.writers().tryDirect();
            changes = 0;
            firstNanos = open == null ? 0 : transactions.core().nanos();
        }
        return open;
    }

    private boolean isDue() {
        return changes >= CHANGES_MAX
                || transactions.committer().pages().modifiedPages() >= PAGES_MAX
                || ((changes & 63) == 63 && isOld());
    }

    private boolean isOld() {
        return transactions.core().nanos() - firstNanos >= WAIT_NANOS;
    }

    private void changed() {
        changes++;
        if (durability != Durability.ASYNC || careful > 0) {
            boolean grows = transactions.committer().editor().grows();
            commit(false);
            careful -= grows && careful > 0 ? 1 : 0;
        } else if (asleep && attendant != null) {
            asleep = false;
            LockSupport.unpark(attendant);
        }
    }

    /// Commits the gathered changes; rolls them back on failure.
    ///
    /// @param acknowledged whether the calls that made the changes have returned
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
            boolean there = committed.hasEnded(); // as when its sync has failed
            undo(e);
            careful = e instanceof LimitException ? CHANGES_MAX : careful;
            throw thrown(acknowledged && waiting > 0 && !there ? lost(e, waiting) : e);
        }
    }

    /// Throws a failure of the attendant thread that no caller has seen yet.
    private void tell() {
        Throwable told = untold;
        if (told != null) {
            untold = null;
            throw thrown(told);
        }
    }

    /// Commits the gathered changes, so that others see them.
    ///
    /// @throws LimitException if the disk is full; the gathered changes are undone then
    public synchronized void flush() {
        checkOpen();
        tell();
        commit(true);
    }

    /// Loop of the attendant thread: commits a group of changes some milliseconds after its first one.
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
            } catch (Throwable e) { // the next caller gets it, and this thread goes on
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

    /// Commits the gathered changes, and ends. A second call does nothing.
    ///
    /// @throws LimitException if the disk is full; the gathered changes are undone then
    @Override
    public void close() {
        try {
            end();
        } finally {
            LockSupport.unpark(attendant); // if there is one
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        whenClosed.accept(this);
        commit(true);
        tell();
    }
}
