package dev.oriel.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One transaction: a snapshot of all trees, plus its own writes.
///
/// A read-only transaction never waits for another transaction. Any number of writing ones run at once: each
/// locks the keys it writes, keeps its write set private, and applies it at commit. When a lock is granted, the
/// entry must still be as in the snapshot; otherwise the write is refused with a [ConflictException] (CHANGED).
/// So no update is lost, whether the other writer committed before or after the wait. Locks are held until the
/// end.
///
/// An exclusive transaction is the only one that writes. It changes pages in place and needs no other locks.
///
/// Not safe for use by two threads at once. Every method throws [ClosedException] after the end,
/// and [UsageException] for a write in a read-only transaction.
public interface Transaction extends AutoCloseable {
    /// The snapshot it reads: the txid of the newest commit that it sees.
    long snapshot();

    /// Whether it may write.
    boolean writable();

    /// The isolation level.
    Isolation isolation();

    /// Sets the durability that its commit awaits; the store's options give the default. A commit is never
    /// durable before the commits that it follows.
    void durability(Durability wanted);

    /// The default wait for a lock of another transaction.
    Wait patience();

    /// Discards its writes and takes a new snapshot; its locks stay. So a second attempt finds the locked entries
    /// unchanged.
    ///
    /// @throws UsageException if it is exclusive
    void restart();

    /// READ COMMITTED: takes a new snapshot. Its own writes and its locks stay, and its open cursors go on from
    /// their positions.
    ///
    /// @throws UsageException at a level that promises one snapshot
    void refresh();

    /// Waits until no other transaction writes, and lets none write until this one ends. Creating and dropping
    /// trees implies this call.
    ///
    /// @throws ConflictException if the others do not end in time, or wait for this one; and above READ COMMITTED
    ///     also if something was committed since the snapshot
    void exclusive();

    /// Returns the tree `name`, or null if this snapshot has none.
    @Nullable Tree tree(String name);

    /// All trees of this snapshot, by name.
    List<Tree> trees();

    /// Creates an empty tree, as an [#exclusive()] transaction.
    ///
    /// @throws UsageException if `name` exists
    Tree createTree(String name);

    /// Deletes a tree and frees its pages, as an [#exclusive()] transaction.
    void dropTree(Tree tree);

    /// Points `value` at the value of `key`; false if there is no entry. Allocates nothing.
    boolean get(Tree tree, Slice key, Slice value);

    /// Like [#get], but also sees commits after the snapshot. Locks `key`, SHARED if it is not locked yet, so that the
    /// answer holds until the end.
    boolean getLatest(Tree tree, Slice key, Slice value);

    /// Like [#getLatest] without a lock: for callers that hold another lock that keeps the entry as it is.
    boolean peekLatest(Tree tree, Slice key, Slice value);

    /// Whether it is the only one that writes.
    boolean isExclusive();

    /// Locks `key` until the transaction ends, whether there is an entry or not. Returns false if another
    /// transaction holds the lock and `wait` says SKIP.
    ///
    /// @throws ConflictException if it is not granted, or the entry is no longer as in the snapshot
    boolean lock(Tree tree, Slice key, LockMode mode, Wait wait);

    /// Locks `tree` until the transaction ends. Returns false if another transaction holds a lock on it and
    /// `wait` says SKIP. Each key lock takes the tree's lock as SHARED too, which keeps off EXCLUSIVE requests.
    /// EXCLUSIVE waits for all holders of locks on the tree or its keys, and excludes new ones. No entry is
    /// checked. An exclusive transaction holds EXCLUSIVE on every tree.
    ///
    /// @throws ConflictException if it is not granted
    boolean lockTree(Tree tree, LockMode mode, Wait wait);

    /// Runs `waits`, which only takes locks. If this transaction has neither writes nor locks yet, a transaction
    /// that wants to be exclusive need not wait for it meanwhile.
    ///
    /// @throws ConflictException if the exclusive one does not end in time; this one has ended then
    void waitOutside(Runnable waits);

    /// Counts as a read of all of `tree`, after a read of state outside the trees that is derived from it. Matters
    /// only at SERIALIZABLE.
    void observe(Tree tree);

    /// Creates an unpositioned cursor.
    Cursor cursor(Tree tree);

    /// Counts the entries from `from` (inclusive) to `to` (exclusive; null for the end of the tree). The count is
    /// exact and takes time proportional to the number of pages between.
    long count(Tree tree, Slice from, @Nullable Slice to);

    /// Estimates the result of [#count], in time proportional to the height of the tree. Exact if the range lies
    /// in one or two pages; otherwise seldom wrong by half.
    long estimate(Tree tree, Slice from, @Nullable Slice to);

    /// Returns ascending keys that cut the tree into `parts` ranges of about the same size, for parallel scans:
    /// `parts - 1` keys, or fewer if the tree is small. They need not be keys of entries.
    ///
    /// @throws UsageException if `parts` is less than 1
    List<byte[]> splitPoints(Tree tree, int parts);

    /// Adds an entry; false, with nothing done, if the key exists.
    ///
    /// @throws LimitException if the key or the value is longer than the store allows
    boolean insert(Tree tree, Slice key, Slice value);

    /// Adds or replaces an entry.
    ///
    /// @throws LimitException if the key or the value is longer than the store allows
    void put(Tree tree, Slice key, Slice value);

    /// Removes an entry; false if there was none.
    boolean delete(Tree tree, Slice key);

    /// Like [#put] without a lock: for a derived entry that is written only under the lock of another one, which this
    /// transaction holds.
    void putUnlocked(Tree tree, Slice key, Slice value);

    /// Like [#delete] without a lock, see [#putUnlocked].
    void deleteUnlocked(Tree tree, Slice key);

    /// Adds entries to a tree, as an [#exclusive()] transaction, and returns their number. It is a bulk load if
    /// the tree is empty, the database has files, and no savepoint is open. The keys must ascend then. The pages
    /// are written once, straight to the data file, and synced, and take neither memory nor log. Otherwise this
    /// is a [#put] of each. Either way the entries are visible after the commit, or never.
    ///
    /// @throws UsageException if the keys do not ascend; the transaction can only be rolled back then
    /// @throws LimitException if there is no room for them; the transaction can only be rolled back then
    long load(Tree tree, Entries entries);

    /// Removes all entries from `from` (inclusive) to `to` (exclusive; null for the end of the tree) and returns
    /// their number. An empty `from` is the beginning.
    ///
    /// An exclusive transaction frees pages that lie wholly in the range without a look at each entry. One of
    /// many writers does so at its commit, if it can lock the tree until then. For that the range must have more
    /// keys than a sixteenth of [StoreOptions#keyLocksMax()]. No other transaction may hold key locks in the
    /// tree, and nothing in the range may have changed since the snapshot.
    ///
    /// Otherwise, and while a savepoint is open, it locks and removes entry by entry, in time and memory for
    /// each, as if by [#delete]. Entries that others insert into the range meanwhile stay; they are a conflict
    /// only at SERIALIZABLE. Not for trees of entries that others write without locks ([#putUnlocked]), unless
    /// the caller excludes them by other means.
    long deleteRange(Tree tree, Slice from, @Nullable Slice to);

    /// Sets a savepoint. Savepoints nest: rolling back to one forgets all later ones.
    Savepoint savepoint();

    /// Undoes all writes since `savepoint`, which stays usable.
    void rollbackTo(Savepoint savepoint);

    /// Forgets `savepoint` and all later ones; the writes since then stay.
    void release(Savepoint savepoint);

    /// Calls `hook` inside [#commit()], after the log record is written and before any reader sees the new
    /// state. State kept outside the trees is published there. A hook must not fail: a failure poisons the store,
    /// because the logged commit could not be made visible.
    void beforePublish(CommitHook hook);

    /// Ends the transaction and makes its writes visible, with the store's [Durability] or that of [#durability].
    /// A writing transaction without writes waits likewise for the commits it has seen. A read-only one just
    /// ends; the result says how durable its snapshot is by then.
    Commit commit();

    /// Running count of the pages it has looked at; only differences mean anything.
    long pagesRead();

    /// Number of locks that it holds, for monitoring: possibly out of date. 0 if it only reads.
    default long locks() {
        return 0;
    }

    /// Number of entries written or removed so far, index entries included, for monitoring as [#locks()].
    default long writes() {
        return 0;
    }

    /// Number among the store's writers, as in `Store.lockWaits()`; 0 if it only reads.
    long writer();

    /// Running count of its waits for locks of other transactions.
    long lockWaits();

    /// Running total of the nanoseconds it has waited for locks.
    long lockWaitNanos();

    /// Ends the transaction without its writes, unless it has ended already.
    @Override
    void close();

    /// How a lock may be shared.
    enum LockMode {
        SHARED,
        EXCLUSIVE
    }

    /// Behaviour if another transaction holds the lock: wait up to `timeoutMillis`, fail at once, or skip the
    /// key.
    record Wait(Kind kind, long timeoutMillis) {
        /// The kind of wait. NOWAIT and SKIP ignore the timeout.
        public enum Kind {
            WAIT,
            NOWAIT,
            SKIP
        }
    }

    /// A point inside a writing transaction, to which it can roll back.
    final class Savepoint {
        public final long undoPosition;
        public final int depth;
        public final int droppedCount;

        public Savepoint(long undoPosition, int depth, int droppedCount) {
            this.undoPosition = undoPosition;
            this.depth = depth;
            this.droppedCount = droppedCount;
        }
    }

    /// Called with the number of the commit that is about to be published.
    @FunctionalInterface
    interface CommitHook {
        void beforePublish(long txid);

        /// Called instead if the transaction has ended without its writes.
        default void rolledBack() {}
    }

    /// The outcome of a commit.
    ///
    /// @param txid its number; the number of the snapshot if nothing was written
    /// @param lsn end of its log record in bytes since the creation of the database
    /// @param durability reached when `commit` returned: at least the requested durability, with two exceptions. A
    ///     read-only transaction waits for nothing, and a memory database is always ASYNC. A store opened
    ///     read-only has WRITTEN at most
    /// @param logBytes its share of the bytes appended to the log: its whole record, or an equal part of a record
    ///     that several commits share
    record Commit(long txid, long lsn, Durability durability, long logBytes) {}

    /// Work done in a transaction, possibly more than once.
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T in(Transaction transaction);
    }
}
