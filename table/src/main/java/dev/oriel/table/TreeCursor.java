package dev.oriel.table;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import org.jspecify.annotations.Nullable;

/// Rows in the order of their own keys, or of a BTREE index.
final class TreeCursor extends StoredCursor {
    private @Nullable Cursor cursor;
    private final Slice indexKey = new Slice();
    private boolean started;

    /// So many rows are compared with the upper bound before it is looked up how many more are below it:
    /// most ranges that end at once are points.
    private static final int COMPARED = 2;

    private int compared;

    /// Steps forward that need no look at the upper bound, as long as the transaction does not write.
    private int sure;

    TreeCursor(StoredTransaction transaction, TableEntry table, @Nullable IndexEntry index) {
        super(transaction, table, index);
    }

    @Override
    void start() {
        Tree tree = index == null ? table.tree() : index.tree();
        Cursor existing = cursor;
        if (existing == null) {
            cursor = transaction.store().cursor(tree);
        } else {
            existing.reset(transaction.store(), tree);
        }
        started = false;
        compared = 0;
        sure = 0;
    }

    @Override
    boolean advance() {
        Cursor at = opened();
        if (!started) {
            started = true;
            return descending ? fromHigh(at) : fromLow(at);
        }
        if (descending) {
            return at.previous() && isNotBelow(at);
        }
        if (sure > 0 && !hasChanged()) {
            sure--;
            return at.next();
        }
        return at.next() && isNotAbove(at);
    }

    private boolean fromLow(Cursor at) {
        return (bounds.hasLow() ? at.seek(bounds.low()) : at.first()) && isNotAbove(at);
    }

    private boolean fromHigh(Cursor at) {
        return (bounds.hasHigh() ? at.seekBefore(bounds.high()) : at.last()) && isNotBelow(at);
    }

    private boolean isNotAbove(Cursor at) {
        if (!bounds.hasHigh()) {
            return true;
        }
        if (at.compareKeyTo(bounds.high()) >= 0) {
            return false;
        }
        if (++compared >= COMPARED) {
            sure = at.stepsBelow(bounds.high());
        }
        return true;
    }

    private boolean isNotBelow(Cursor at) {
        return !bounds.hasLow() || at.compareKeyTo(bounds.low()) >= 0;
    }

    @Override
    void locate(Slice out) {
        if (index == null) {
            opened().key(out);
        } else {
            opened().value(out);
        }
    }

    @Override
    void readKey(KeyReader reader) {
        opened().key(indexKey);
        reader.over(indexKey);
    }

    @Override
    void fetch(Slice out) {
        if (index == null) {
            opened().value(out);
        } else {
            super.fetch(out);
        }
    }

    private Cursor opened() {
        Cursor existing = cursor;
        if (existing == null) {
            throw notOpened();
        }
        return existing;
    }
}
