package dev.oriel.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One transaction: a snapshot of all trees, plus its own writes.
///
/// A read-only transaction never waits for anybody. Any number of writing ones run at once: each
/// locks the keys it writes, keeps what it writes to itself, and applies it at commit. When a lock is
/// granted, the entry must still be as the snapshot has it, or the write is refused with a
/// [ConflictException] that says CHANGED: so no update is lost, whether the other writer committed
/// before or after the wait. What is locked stays locked until the end.
///
/// An exclusive transaction is the only one that writes. It changes pages in place, and locks nothing
/// but everything.
///
/// Not safe for use by two threads at once. Every method throws [ClosedException] after the end,
/// and [UsageException] for a write in a read-only transaction.
public interface Transaction extends AutoCloseable {
    /// The snapshot it reads: the number of the last commit that it sees.
    long snapshot();

    /// Whether it may write.
    boolean writable();

    /// How it is kept apart from others.
    Isolation isolation();

    /// How durable its commit is to be when it returns: at first what the store's options say. A commit that
    /// follows another one is never durable before that.
    void durability(Durability wanted);

    /// How long it waits for a lock of another one where nobody says otherwise.
    Wait patience();

    /// Forgets all that was written, and sees what is committed by now; what is locked stays locked. So
    /// a second attempt finds those entries as it left them.
    ///
    /// @throws UsageException if it is exclusive
    void restart();

    /// READ COMMITTED: sees from now on what is committed by now. Its own writes and its locks stay,
    /// and its open cursors go on from their places.
    ///
    /// @throws UsageException at a level that promises one snapshot
    void refresh();

    /// Waits until no other transaction writes, and lets none write until this one ends. What creates
    /// or drops trees does so by itself.
    ///
    /// @throws ConflictException if the others do not end in time, or wait for this one; and above
    ///     READ COMMITTED also if something was committed since the snapshot
    void exclusive();

    /// The tree `name`, or null where there is none in this snapshot.
    @Nullable Tree tree(String name);

    /// All trees of this snapshot, by name.
    List<Tree> trees();

    /// Creates an empty tree, as an [#exclusive()] transaction.
    ///
    /// @throws UsageException if `name` exists
    Tree createTree(String name);

    /// Deletes a tree and frees its pages, as an [#exclusive()] transaction.
    void dropTree(Tree tree);

    /// Points `value` at what `key` maps to; false where there is nothing. Allocates nothing.
    boolean get(Tree tree, Slice key, Slice value);

    /// As [#get], but what others have committed since the snapshot is seen too. Locks `key`, SHARED
    /// where it is not locked yet, so that the answer holds until the end.
    boolean getLatest(Tree tree, Slice key, Slice value);

    /// As [#getLatest] without a lock: for who holds another one that keeps the entry as it is.
    boolean peekLatest(Tree tree, Slice key, Slice value);

    /// Whether it is the only one that writes.
    boolean isExclusive();

    /// Locks `key` until the transaction ends, whether there is an entry or not; false where it is
    /// locked by somebody else and `wait` says to pass it over.
    ///
    /// @throws ConflictException if it is not granted, or the entry is no longer what it is in the
    ///     snapshot
    boolean lock(Tree tree, Slice key, LockMode mode, Wait wait);

    /// Locks `tree` until the transaction ends; false where somebody else's lock is passed over. SHARED is what
    /// each lock of a key of the tree brings along: it keeps off who wants the tree for itself. EXCLUSIVE waits
    /// for all who have locked keys of the tree, or it, and lets nobody do so; nothing is looked at. An exclusive
    /// transaction has that of every tree.
    ///
    /// @throws ConflictException if it is not granted
    boolean lockTree(Tree tree, LockMode mode, Wait wait);

    /// Runs `waits`, which takes locks and does nothing else. Where this transaction has written nothing and holds
    /// no lock yet, one that wants to be the only one need not wait for it meanwhile.
    ///
    /// @throws ConflictException if that one does not end in time; this one has ended then
    void waitOutside(Runnable waits);

    /// Counts as a read of all of `tree`, for who has read of something that is kept beside the trees and
    /// follows from it. Matters at SERIALIZABLE alone.
    void observe(Tree tree);

    /// A new cursor, standing nowhere.
    Cursor cursor(Tree tree);

    /// How many entries there are from `from` (inclusive) to `to` (exclusive; null for the end of the
    /// tree): exact, in time proportional to the number of pages between.
    long count(Tree tree, Slice from, @Nullable Slice to);

    /// About how many entries [#count] would find, in time proportional to the height of the tree.
    /// Exact where the range lies in one or two pages; seldom wrong by half else.
    long estimate(Tree tree, Slice from, @Nullable Slice to);

    /// Keys, ascending, that cut the tree into `parts` ranges of about the same size, for scans by
    /// several threads: `parts - 1` of them, or fewer where the tree is small. They need not be keys
    /// of entries.
    ///
    /// @throws UsageException if `parts` is less than 1
    List<byte[]> splitPoints(Tree tree, int parts);

    /// Adds an entry; false, and nothing done, where the key exists.
    ///
    /// @throws LimitException if the key or the value is longer than the store allows
    boolean insert(Tree tree, Slice key, Slice value);

    /// Adds or replaces an entry.
    ///
    /// @throws LimitException if the key or the value is longer than the store allows
    void put(Tree tree, Slice key, Slice value);

    /// Removes an entry; false where there was none.
    boolean delete(Tree tree, Slice key);

    /// As [#put] without a lock: for an entry that follows from another one, on which this transaction
    /// holds the lock, and that nobody writes without it.
    void putUnlocked(Tree tree, Slice key, Slice value);

    /// As [#delete] without a lock, see [#putUnlocked].
    void deleteUnlocked(Tree tree, Slice key);

    /// Adds entries to a tree, as an [#exclusive()] transaction, and returns how many there were. Where the
    /// tree is empty, the database has files, and no savepoint is open, they must ascend: their pages are
    /// written straight to the data file, once, and synced, and take neither memory nor log. Else this is
    /// a [#put] of each. As all that a transaction writes they are there when it has committed, or never.
    ///
    /// @throws UsageException if the keys do not ascend; the transaction can only be rolled back then
    /// @throws LimitException if there is no room for them; the same
    long load(Tree tree, Entries entries);

    /// Removes all entries from `from` (inclusive) to `to` (exclusive; null for the end of the tree)
    /// and returns how many there were. An empty `from` is the beginning.
    ///
    /// Pages that lie in the range as a whole are freed without a look at each entry, by an exclusive
    /// transaction, and at its commit by one of many writers, where it can have the tree for itself until then:
    /// where the range has more keys than a sixteenth of those for which a tree is locked
    /// ([StoreOptions#keyLocksMax()]), nobody else has locked keys of the tree, and nothing of the range was
    /// changed since the snapshot. Else, and while a savepoint is open, it locks and removes entry by entry, in
    /// time and memory for each, as if by [#delete]; what others insert into the range meanwhile stays, and is a
    /// conflict at SERIALIZABLE alone. Not for trees of entries that others write without locks
    /// ([#putUnlocked]), but by who is alone in other ways.
    long deleteRange(Tree tree, Slice from, @Nullable Slice to);

    /// Remembers this moment. Savepoints nest: rolling back to one forgets all later ones.
    Savepoint savepoint();

    /// Undoes all that was written since `savepoint`, which stays usable.
    void rollbackTo(Savepoint savepoint);

    /// Forgets `savepoint` and all later ones; what was written stays.
    void release(Savepoint savepoint);

    /// Has `hook` called inside [#commit()], after the log record is written and before any reader
    /// sees the new state. State kept beside the trees is published there. A hook must not fail:
    /// one that does poisons the store, because what the log holds could not be made visible.
    void beforePublish(CommitHook hook);

    /// Ends the transaction and makes its writes visible, as durable as the store's [Durability] or
    /// [#durability] says. One that may write and has not waits as long for what it has seen. Of a read-only
    /// one this is only the end: how durable its snapshot is by then, the answer says.
    Commit commit();

    /// How many pages it has looked at: as a running count, of which only differences mean anything.
    long pagesRead();

    /// Number of locks that it holds, for those who look from outside: a moment ago, perhaps. 0 if it only reads.
    default long locks() {
        return 0;
    }

    /// Number of entries that it has written or removed so far, those of indexes included, as [#locks()] is meant.
    default long writes() {
        return 0;
    }

    /// Which of the store's writers it is, as [Store#lockWaits()] names them; 0 where it only reads.
    long writer();

    /// How often it has waited for somebody else's lock, as a running count.
    long lockWaits();

    /// For how long it has waited for locks, as a running count.
    long lockWaitNanos();

    /// Ends the transaction without its writes, unless it has ended already.
    @Override
    void close();

    /// How a lock may be shared.
    enum LockMode {
        SHARED,
        EXCLUSIVE
    }

    /// What to do about somebody else's lock: wait so many milliseconds, not at all (an error), or
    /// pass the key over.
    record Wait(Kind kind, long timeoutMillis) {
        /// NOWAIT and SKIP do not look at the timeout.
        public enum Kind {
            WAIT,
            NOWAIT,
            SKIP
        }
    }

    /// A moment inside a writing transaction, to which it can go back.
    final class Savepoint {
        final long undoPosition;
        final int depth;
        final int droppedCount;

        Savepoint(long undoPosition, int depth, int droppedCount) {
            this.undoPosition = undoPosition;
            this.depth = depth;
            this.droppedCount = droppedCount;
        }
    }

    /// Called with the number of the commit that is about to be published.
    @FunctionalInterface
    interface CommitHook {
        void beforePublish(long txid);

        /// Called instead where the transaction has ended without its writes.
        default void rolledBack() {}
    }

    /// What a commit came to.
    ///
    /// @param txid its number; the snapshot it read where nothing was written
    /// @param lsn end of its log record in bytes since the creation of the database
    /// @param durability what was reached when `commit` returned: never less than what was asked for, but of
    ///     a read-only transaction, which waits for nothing, and of a memory database, which is ASYNC always.
    ///     Of what was opened for reading only it is WRITTEN at most
    /// @param logBytes its share of what was appended to the log: all of its record, or of one that
    ///     several commits share an equal part
    record Commit(long txid, long lsn, Durability durability, long logBytes) {}
}
