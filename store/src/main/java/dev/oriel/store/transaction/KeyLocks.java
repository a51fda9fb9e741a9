package dev.oriel.store.transaction;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.store.lock.LockOwner;
import dev.oriel.store.lock.Locks;
import dev.oriel.store.lock.TreeLocks;

/// The locks of one writing transaction, and the check of each locked entry: it must be unchanged since the
/// transaction's snapshot. Belongs to the transaction's thread.
///
/// A transaction that locks many keys of a tree eventually locks the tree instead. At first it does so only if no
/// other transaction has locked keys there; from [#PATIENCE] times as many keys on, it waits for the others.
final class KeyLocks {
    private static final int PATIENCE = 4;

    private final Transactions transactions;
    private final Locks locks;
    private final Wait patience;
    private final LockOwner owner;
    private final BufferedWrites beside;
    private final TreeLocks trees;
    private final int keysMax;

    /// @param patience default wait for a lock
    KeyLocks(Transactions transactions, LockOwner owner, BufferedWrites beside, Wait patience) {
        this.transactions = transactions;
        this.locks = transactions.writers().locks();
        this.patience = patience;
        this.owner = owner;
        this.beside = beside;
        this.trees = owner.trees;
        this.keysMax = transactions.core().options().keyLocksMax();
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

    /// Locks `key`; false if another transaction's lock is skipped. Checks the entry even if the lock was held
    /// already: perhaps for another key of the same hash.
    boolean unchanged(Tree tree, Slice key, LockMode mode, Wait wait) {
        if (!lock(tree, key, mode, wait)) {
            return false;
        }
        if (!beside.isUnchanged(tree.root(), key)) {
            throw changed();
        }
        return true;
    }

    /// Locks `key` against changes of its entry, which may have changed since the snapshot.
    void shared(Tree tree, Slice key) {
        lock(tree, key, LockMode.SHARED, patience);
    }

    private boolean lock(Tree tree, Slice key, LockMode mode, Wait wait) {
        long root = tree.root();
        if (!trees.knows(root) && !tree(tree, LockMode.SHARED, wait)) {
            return false;
        }
        if (trees.isWhole()) {
            return true;
        }
        Locks.Grant grant = locks.lock(owner, tree, Locks.hash(root, key), mode, wait);
        if (grant == Locks.Grant.NEW && trees.countAndLook()) {
            lockWhole(tree, wait.kind());
        }
        return grant != Locks.Grant.REFUSED;
    }

    /// Locks `tree` itself; false if another transaction's lock is skipped.
    boolean tree(Tree tree, LockMode mode, Wait wait) {
        boolean known = trees.knows(tree.root());
        if (known && (mode == LockMode.SHARED || trees.isWhole())) {
            return true;
        }
        trees.reserve();
        Locks.Grant grant = locks.lock(owner, tree, Locks.hash(tree.root()), mode, wait);
        if (grant == Locks.Grant.REFUSED) {
            return false;
        }
        if (!known) {
            trees.add(tree.root(), keysMax);
        }
        if (mode == LockMode.EXCLUSIVE) {
            trees.setWhole();
        }
        return true;
    }

    private void lockWhole(Tree tree, Wait.Kind kind) {
        boolean waits = kind == Wait.Kind.WAIT && trees.count() / PATIENCE >= keysMax;
        Wait wait = waits ? patience : new Wait(Wait.Kind.SKIP, 0);
        Locks.Grant grant =
                locks.lock(owner, tree, Locks.hash(tree.root()), LockMode.EXCLUSIVE, wait);
        if (grant == Locks.Grant.REFUSED) {
            trees.tryAgainAt(trees.count() + Math.max(1, keysMax / PATIENCE));
        } else {
            trees.setWhole();
        }
    }

    /// Waits until no other transaction writes, and keeps others from beginning to.
    void everybody() {
        locks.lock(owner, Writers.EVERYBODY, LockMode.EXCLUSIVE, patience);
    }

    /// The exception for a snapshot that has been overtaken.
    ConflictException changed() {
        return new ConflictException(
                ConflictException.Reason.CHANGED,
                "Another transaction has committed a change"
                        + " of a key that this one writes; run it again",
                "snapshot="
                        + beside.snapshot.txid()
                        + " newest="
                        + transactions.core().state().txid());
    }
}
