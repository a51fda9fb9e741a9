package dev.oriel.store;

import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Changes of many entries of one tree by one call of a [WriteTransaction], which does each of them, and sees to
/// its cursors before.
final class RangeWrites {
    /// A range of more keys than this part of those that lock a tree locks it at once, where nobody is there.
    private static final int KEYS_PART = 16;

    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);

    private final WriteTransaction transaction;
    private final Store store;
    private final Changes changes;

    RangeWrites(WriteTransaction transaction, Store store, Changes changes) {
        this.transaction = transaction;
        this.store = store;
        this.changes = changes;
    }

    /// Fills `tree`, past the log where it is empty. Of an exclusive transaction.
    long load(Tree tree, Entries entries) {
        boolean fresh = !changes.remembers() && Load.isEmpty(transaction.pages(), tree.root());
        return fresh && store.committer().loads()
                ? changes.whole(() -> fill(tree, entries, () -> {}))
                : putAll(tree, entries);
    }

    private long fill(Tree tree, Entries entries, Runnable watch) {
        return store.committer().load(List.of(new Load.Filling(tree.root(), entries)), watch);
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

    /// Removes a range in the trees themselves. Of an exclusive transaction.
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

    /// Removes a range beside others who write.
    ///
    /// Of many entries at once, where nobody else has locked any of the tree: it is locked instead of them, and
    /// hidden as a whole. Only what this transaction itself has written there is removed entry by entry. Behind
    /// any savepoint all is: where the transaction goes on in the trees, the way back is made of entries.
    long delete(Tree tree, Slice from, @Nullable Slice to, KeyLocks locks, BufferedWrites beside) {
        int keysMax = store.options().keyLocksMax() / KEYS_PART;
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
