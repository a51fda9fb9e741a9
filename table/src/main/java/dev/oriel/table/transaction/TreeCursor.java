package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.TableEntry;
import org.jspecify.annotations.Nullable;

/// Rows in the order of their own keys, or of a BTREE index. A range that is one whole key needs no scan: its
/// entry is looked up.
final class TreeCursor extends StoredCursor {
    private @Nullable Cursor cursor;
    private final Slice indexKey = new Slice();
    private boolean started;

    /// Rows compared with the upper bound before the number of rows below it is looked up: most ranges that end at
    /// once are points.
    private static final int COMPARED = 2;

    private int compared;

    /// Steps forward that need no test of the upper bound, as long as the transaction does not write.
    private int sure;

    /// Whether the range is one key; `pointed` is its value.
    private boolean point;

    private final Slice pointed = new Slice();

    TreeCursor(StoredTransaction transaction, TableEntry table, @Nullable IndexEntry index) {
        super(transaction, table, index);
    }

    @Override
    int wholeColumns() {
        IndexEntry of = index;
        if (of == null) {
            return table.keyTypes().length;
        }
        return of.holdsRowKey() || (of.unique() && !of.isSearch()) ? of.types().length : 0;
    }

    private Tree tree() {
        return index == null ? table.tree() : index.tree();
    }

    @Override
    void start() {
        started = false;
        point = bounds.isPoint();
        if (point) {
            return;
        }
        Tree tree = tree();
        Cursor existing = cursor;
        if (existing == null) {
            cursor = transaction.store().cursor(tree);
        } else {
            existing.reset(transaction.store(), tree);
        }
        compared = 0;
        sure = 0;
    }

    @Override
    boolean advance() {
        if (point) {
            boolean first = !started;
            started = true;
            return first && transaction.store().get(tree(), bounds.low(), pointed);
        }
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
    void leavePlace() {
        Cursor at = cursor;
        if (at != null && !point && started && transaction.isWriting()) {
            at.reset(transaction.store(), tree());
        }
    }

    @Override
    void locate(Slice out) {
        if (point) {
            point(index == null ? bounds.low() : pointed, out);
        } else if (index == null) {
            opened().key(out);
        } else {
            opened().value(out);
        }
    }

    @Override
    void readKey(KeyReader reader) {
        if (point) {
            point(bounds.low(), indexKey);
        } else {
            opened().key(indexKey);
        }
        reader.over(indexKey);
    }

    private static void point(Slice at, Slice out) {
        out.set(at.segment(), at.offset(), at.length());
    }

    @Override
    void fetch(Slice out) {
        if (point && index == null) {
            point(pointed, out);
        } else if (index == null) {
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
