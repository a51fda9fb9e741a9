package dev.oriel.store.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Entries;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.store.checkpoint.Load;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Operations of a [WriteTransaction] that change many entries of one tree in one call. The transaction makes
/// each change, and prepares its cursors before the call.
final class RangeWrites {
    /// Divisor of the key lock limit: a range with more keys than the quotient locks the tree at once, if it is
    /// free.
    private static final int KEYS_PART = 16;

    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);

    private final WriteTransaction transaction;
    private final Transactions transactions;
    private final Changes changes;

    RangeWrites(WriteTransaction transaction, Transactions transactions, Changes changes) {
        this.transaction = transaction;
        this.transactions = transactions;
        this.changes = changes;
    }

    /// Fills `tree`, bypassing the log if the tree is empty. The transaction must be exclusive.
    long load(Tree tree, Entries entries) {
        boolean fresh = !changes.remembers() && Load.isEmpty(transaction.pages(), tree.root());
        return fresh && transactions.committer().loads()
                ? changes.whole(() -> fill(tree, entries, () -> {}))
                : putAll(tree, entries);
    }

    private long fill(Tree tree, Entries entries, Runnable watch) {
        return transactions
                .committer()
                .load(List.of(new Load.Filling(tree.root(), entries)), watch);
    }

    private long putAll(Tree tree, Entries entries) {
        Slice key = new Slice();
        Slice value = new Slice();
        long count = 0;
        while (entries.next(key, value)) {
            transaction.change(tree, key, value, true);
            count++;
        }
        return count;
    }

    /// See [WriteTransaction#refill].
    long refill(Tree tree, Function<Cursor, Entries> merged, Runnable watch) {
        MergedCursor before = new MergedCursor(transaction, tree.root());
        try {
            return changes.whole(() -> fill(tree, merged.apply(before), watch));
        } finally {
            transaction.forget(before);
        }
    }

    /// Removes a range in the trees themselves. The transaction must be exclusive.
    long deleteDirect(Tree tree, Slice from, @Nullable Slice to) {
        if (changes.remembers()) {
            remember(tree, from, to);
        }
        return changes.removeRange(tree.root(), from, to);
    }

    private void remember(Tree tree, Slice from, @Nullable Slice to) {
        MergedCursor cursor = new MergedCursor(transaction, tree.root());
        Slice key = new Slice();
        Slice value = new Slice();
        boolean more = cursor.seek(from);
        while (more && (to == null || cursor.compareKeyTo(to) < 0)) {
            cursor.key(key);
            cursor.value(value);
            changes.remember(tree.root(), key, value);
            more = cursor.next();
        }
        transaction.forget(cursor);
    }

    /// Removes a range while other transactions write.
    ///
    /// If the range is large and no other transaction holds locks in the tree, the tree is locked and the range is
    /// hidden as a whole. Only this transaction's own writes in it are removed one by one. With a savepoint set,
    /// all entries are removed one by one: an exclusive transaction's undo log consists of entries.
    long delete(Tree tree, Slice from, @Nullable Slice to, KeyLocks locks, BufferedWrites beside) {
        int keysMax = transactions.core().options().keyLocksMax() / KEYS_PART;
        HiddenRanges hidden = beside.writeSet.hidden();
        boolean whole =
                !changes.hasSavepoints()
                        && !hidden.isFull()
                        && transaction.estimate(tree, from, to) > keysMax
                        && locks.tree(tree, LockMode.EXCLUSIVE, SKIP)
                        && beside.isUnchanged(tree.root(), from, to);
        if (!whole) {
            return deleteEach(tree, from, to);
        }
        long removed = transaction.count(tree, from, to);
        hidden.add(tree.root(), from, to);
        long _ = deleteEach(tree, from, to);
        return removed;
    }

    /// Removes a range entry by entry.
    long deleteEach(Tree tree, Slice from, @Nullable Slice to) {
        MergedCursor cursor = new MergedCursor(transaction, tree.root());
        Slice key = new Slice();
        Slice copy = new Slice();
        Slice end = to == null ? null : new Slice().setCopy(to);
        long removed = 0;
        boolean more = cursor.seek(from);
        while (more && (end == null || cursor.compareKeyTo(end) < 0)) {
            cursor.key(key);
            copy.setCopy(key);
            transaction.beforeWrite(tree);
            transaction.remove(tree, copy);
            removed++;
            more = cursor.next();
        }
        transaction.forget(cursor);
        return removed;
    }
}
