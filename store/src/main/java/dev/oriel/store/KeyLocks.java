package dev.oriel.store;

import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;

/// What one writing transaction locks, and the look at each entry once it is locked: it must still be
/// what it is in the transaction's snapshot. Belongs to the transaction's thread.
final class KeyLocks {
    private final Store store;
    private final Locks locks;
    private final Wait patience;
    private final LockOwner owner;
    private final OverlayWrites beside;

    KeyLocks(Store store, LockOwner owner, OverlayWrites beside) {
        this.store = store;
        this.locks = store.writers().locks();
        this.patience = store.writers().patience();
        this.owner = owner;
        this.beside = beside;
    }

    LockOwner owner() {
        return owner;
    }

    Wait patience() {
        return patience;
    }

    /// Locks `key` to write its entry.
    ///
    /// @throws ConflictException if it is not granted in time, or the entry has changed
    void toWrite(Tree tree, Slice key) {
        unchanged(tree, key, LockMode.EXCLUSIVE, patience);
    }

    /// Locks `key`; false where somebody else's lock is passed over. Looks at the entry also where the
    /// lock was held already: perhaps for another key of the same hash.
    boolean unchanged(Tree tree, Slice key, LockMode mode, Wait wait) {
        long hash = Locks.hash(tree.root(), key);
        if (locks.lock(owner, tree, hash, mode, wait) == Locks.Grant.REFUSED) {
            return false;
        }
        if (!beside.isUnchanged(tree.root(), key)) {
            throw changed();
        }
        return true;
    }

    /// Locks `key` so that nobody changes its entry, whatever it is by now.
    void shared(Tree tree, Slice key) {
        locks.lock(owner, tree, Locks.hash(tree.root(), key), LockMode.SHARED, patience);
    }

    /// Waits until no other transaction writes, and lets none begin to.
    void everybody() {
        locks.lock(owner, Writers.EVERYBODY, LockMode.EXCLUSIVE, patience);
    }

    /// What to throw where the snapshot has been overtaken.
    ConflictException changed() {
        return new ConflictException(
                ConflictException.Reason.CHANGED,
                "Another transaction has committed a change of what this one wants to write; run it"
                        + " again",
                "snapshot=" + beside.snapshot.txid() + " newest=" + store.state().txid());
    }
}
