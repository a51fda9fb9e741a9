package dev.oriel.store;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A snapshot. To begin and to end one is a few memory accesses.
final class ReadTransaction extends StoreTransaction {
    private final Store store;
    private int readerSlot;
    private State state;
    private boolean open;

    /// 0 without a limit, and then nobody asks for the time.
    private final long ageNanosMax;

    private long begunNanos;

    ReadTransaction(Store store, Pages pages) {
        super(pages);
        this.store = store;
        this.ageNanosMax = TimeUnit.MILLISECONDS.toNanos(store.options().snapshotAgeMillisMax());
        this.state = store.state();
    }

    /// Takes the newest state.
    @SuppressWarnings("ReferenceEquality") // the very state that is published, not one like it
    void begin() {
        if (open) {
            throw new UsageException(
                    "The transaction is still open; end it before it is renewed", "");
        }
        State newest = store.state();
        readerSlot = store.readers().claim(readerSlot, newest.txid());
        do {
            state = newest;
            store.readers().set(readerSlot, state.txid());
            newest = store.state();
        } while (newest != state);
        pages().use(state.txid(), state.versions(), state.frames());
        begunNanos = ageNanosMax == 0 ? 0 : store.nanos();
        open = true;
    }

    @Override
    void checkOpen() {
        if (!open) {
            throw new ClosedException("The transaction has ended", "");
        }
        if (ageNanosMax != 0) {
            checkAge();
        }
    }

    /// It ends itself: nobody else could without pulling pages away from under its cursors.
    private void checkAge() {
        long age = store.nanos() - begunNanos;
        if (age > ageNanosMax) {
            close();
            throw new ConflictException(
                    "The snapshot has become older than the database allows; begin another"
                            + " transaction",
                    "ageMillis=%d limitMillis=%d"
                            .formatted(
                                    TimeUnit.NANOSECONDS.toMillis(age),
                                    store.options().snapshotAgeMillisMax()));
        }
    }

    @Override
    boolean isRegistered(TreeCursor cursor) {
        return true; // nothing has to be told to the cursors of a reader
    }

    @Override
    void register(TreeCursor cursor) {}

    @Override
    void forget(TreeCursor cursor) {}

    /// What it sees.
    State state() {
        return state;
    }

    @Override
    public long snapshot() {
        return state.txid();
    }

    @Override
    public boolean writable() {
        return false;
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
        checkOpen();
        close();
        return new Commit(state.txid(), state.lsn(), store.options().durability());
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            store.readers().release(readerSlot);
        }
    }
}
