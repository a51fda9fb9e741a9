package dev.oriel.store.transaction;

import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Entries;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.State;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A read-only transaction over a snapshot. Beginning and ending one takes a few memory accesses.
public final class ReadTransaction extends StoreTransaction {
    private final Transactions transactions;
    private final Snapshot snapshot;

    /// Null if a lock of the caller makes calls take turns.
    private final @Nullable CallGuard guard;

    private boolean open;

    /// Maximum age in nanoseconds; 0 is without a limit, and then the clock is not read.
    private final long ageNanosMax;

    private long begunNanos;

    /// @param guard null if a lock of the caller makes calls take turns
    ReadTransaction(Transactions transactions, @Nullable CallGuard guard) {
        this.transactions = transactions;
        this.guard = guard;
        this.snapshot = new Snapshot(transactions.core());
        this.ageNanosMax =
                TimeUnit.MILLISECONDS.toNanos(transactions.core().options().snapshotAgeMillisMax());
    }

    @Override
    public void beginCall() {
        if (guard != null) {
            guard.enter();
        }
    }

    @Override
    public void endCall() {
        if (guard != null) {
            guard.exit();
        }
    }

    /// Takes the newest state as its snapshot.
    void begin() {
        beginCall();
        try {
            checkEnded();
            transactions.committer().absorber().absorbIfQuiet();
            snapshot.take();
            begunNanos = ageNanosMax == 0 ? 0 : transactions.core().nanos();
            open = true;
        } finally {
            endCall();
        }
    }

    /// Takes the snapshot of `like`, which stays open until this one has ended.
    void begin(ReadTransaction like) {
        beginCall();
        try {
            checkEnded();
            like.checkOpen();
            snapshot.take(like.snapshot);
            begunNanos = like.begunNanos;
            open = true;
        } finally {
            endCall();
        }
    }

    private void checkEnded() {
        if (open) {
            throw new UsageException(
                    "The transaction is still open; end it before it is renewed", "");
        }
    }

    @Override
    public Pages pages() {
        return snapshot.pages;
    }

    @Override
    TreeReader reader() {
        return snapshot.reader;
    }

    @Override
    Deltas deltas() {
        return snapshot.deltas();
    }

    @Override
    @Nullable WriteSet writeSet() {
        return null;
    }

    @Override
    public void checkOpen() {
        if (!open) {
            throw new ClosedException("The transaction has ended", "");
        }
        if (ageNanosMax != 0) {
            checkAge();
        }
    }

    /// Ends the transaction if it is too old. Only its own thread may: otherwise pages would vanish under its
    /// cursors.
    private void checkAge() {
        long age = transactions.core().nanos() - begunNanos;
        if (age > ageNanosMax) {
            close();
            throw new ConflictException(
                    ConflictException.Reason.SNAPSHOT_TOO_OLD,
                    "The snapshot has become older than the database allows; begin another"
                            + " transaction",
                    "ageMillis=%d limitMillis=%d"
                            .formatted(
                                    TimeUnit.NANOSECONDS.toMillis(age),
                                    transactions.core().options().snapshotAgeMillisMax()));
        }
    }

    @Override
    void register(MergedCursor cursor) {} // cursors of a reader need no notice of changes

    @Override
    void forget(MergedCursor cursor) {}

    /// State of its snapshot.
    public State state() {
        return snapshot.state();
    }

    @Override
    public long snapshot() {
        return snapshot.txid();
    }

    @Override
    public boolean writable() {
        return false;
    }

    @Override
    public Isolation isolation() {
        return Isolation.SNAPSHOT;
    }

    @Override
    public long writer() {
        return 0;
    }

    @Override
    public long lockWaits() {
        return 0;
    }

    @Override
    public long lockWaitNanos() {
        return 0;
    }

    @Override
    public boolean get(Tree tree, Slice key, Slice value) {
        beginCall();
        try {
            checkOpen();
            return snapshot.get(tree.root(), key, value);
        } finally {
            endCall();
        }
    }

    @Override
    public boolean peekLatest(Tree tree, Slice key, Slice value) {
        return get(tree, key, value);
    }

    @Override
    public boolean isExclusive() {
        return false;
    }

    @Override
    public void observe(Tree tree) {
        beginCall();
        try {
            checkOpen(); // a snapshot without writes needs no validation
        } finally {
            endCall();
        }
    }

    @Override
    public void durability(Durability wanted) {
        throw readOnly();
    }

    @Override
    public Wait patience() {
        return transactions.writers().patience();
    }

    @Override
    public void restart() {
        throw readOnly();
    }

    @Override
    public void refresh() {
        throw readOnly();
    }

    @Override
    public void exclusive() {
        throw readOnly();
    }

    @Override
    public void putUnlocked(Tree tree, Slice key, Slice value) {
        throw readOnly();
    }

    @Override
    public void deleteUnlocked(Tree tree, Slice key) {
        throw readOnly();
    }

    @Override
    public boolean getLatest(Tree tree, Slice key, Slice value) {
        throw readOnly();
    }

    @Override
    public boolean lock(Tree tree, Slice key, LockMode mode, Wait wait) {
        throw readOnly();
    }

    @Override
    public void waitOutside(Runnable waits) {
        throw readOnly();
    }

    @Override
    public boolean lockTree(Tree tree, LockMode mode, Wait wait) {
        throw readOnly();
    }

    @Override
    public Tree createTree(String name) {
        throw readOnly();
    }

    @Override
    public void dropTree(Tree tree) {
        throw readOnly();
    }

    @Override
    public boolean insert(Tree tree, Slice key, Slice value) {
        throw readOnly();
    }

    @Override
    public void put(Tree tree, Slice key, Slice value) {
        throw readOnly();
    }

    @Override
    public boolean delete(Tree tree, Slice key) {
        throw readOnly();
    }

    @Override
    public long load(Tree tree, Entries entries) {
        throw readOnly();
    }

    @Override
    public long deleteRange(Tree tree, Slice from, @Nullable Slice to) {
        throw readOnly();
    }

    @Override
    public Savepoint savepoint() {
        throw readOnly();
    }

    @Override
    public void rollbackTo(Savepoint savepoint) {
        throw readOnly();
    }

    @Override
    public void release(Savepoint savepoint) {
        throw readOnly();
    }

    @Override
    public void beforePublish(CommitHook hook) {
        throw readOnly();
    }

    private static UsageException readOnly() {
        return new UsageException("The transaction is read-only; begin one that writes", "");
    }

    @Override
    public Commit commit() {
        beginCall();
        try {
            checkOpen();
            close();
            State state = snapshot.state();
            return new Commit(
                    state.txid(), state.lsn(), transactions.committer().reached(state), 0);
        } finally {
            endCall();
        }
    }

    @Override
    public void close() {
        beginCall();
        try {
            if (open) {
                open = false;
                snapshot.release();
            }
        } finally {
            endCall();
        }
    }
}
