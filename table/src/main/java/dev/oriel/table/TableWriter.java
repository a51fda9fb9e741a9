package dev.oriel.table;

import dev.oriel.profiler.Probe;
import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import org.jspecify.annotations.Nullable;

/// Changes the rows of one table and keeps its indexes in step. Holds the working memory of a
/// change, so that one after the other allocates nothing of its own.
///
/// Each change goes in three steps: encode the row and all its keys; check everything that may
/// refuse it; write. So a row that is refused has written nothing. Keys are made from the encoded
/// rows, which hold the values as they were rounded.
///
/// Used by the holder of the store's write role alone.
final class TableWriter {
    private static final Probe INDEX = Probe.of(TableWriter.class, "writeIndex");

    private final TableEntry table;
    private final Tree tree;
    private final RowEncoder encoder;
    private final boolean numbered;
    private final IndexEntry[] indexes;
    private final IndexKey[] oldKeys;
    private final IndexKey[] newKeys;

    private final NativeBuffer rowBytes = new NativeBuffer(256);
    private final NativeBuffer oldKeyBytes = new NativeBuffer(64);
    private final NativeBuffer newKeyBytes = new NativeBuffer(64);
    private final Slice row = new Slice();
    private final Slice oldKey = new Slice();
    private final Slice newKey = new Slice();
    private final Slice found = new Slice();
    private final StoredRow oldRow;
    private final StoredRow newRow;

    /// The next hidden row number; 0 until it has been looked for.
    private long nextRow;

    TableWriter(TableEntry table) {
        this.table = table;
        this.tree = table.tree();
        this.encoder = new RowEncoder(table.table(), table.layout());
        this.numbered = table.primaryKey().length == 0;
        this.indexes = table.indexes().toArray(IndexEntry[]::new);
        this.oldKeys = new IndexKey[indexes.length];
        this.newKeys = new IndexKey[indexes.length];
        for (int i = 0; i < indexes.length; i++) {
            oldKeys[i] = new IndexKey();
            newKeys[i] = new IndexKey();
        }
        this.oldRow = table.newRow();
        this.newRow = table.newRow();
    }

    void insert(StoredTransaction transaction, Row values) {
        Transaction store = transaction.store();
        encodeRow(values);
        newKeyBytes.clear();
        if (numbered) {
            KeyCodec.putLong(newKeyBytes, nextRow(store));
        } else {
            encodeRowKey();
        }
        newKeyBytes.slice(newKey);
        encodeKeys(newRow, newKey, newKeys);
        for (int i = 0; i < indexes.length; i++) {
            checkUnique(transaction, i);
        }
        if (!store.insert(tree, newKey, row)) {
            throw table.duplicate(null, newKey);
        }
        if (numbered) {
            nextRow++;
        }
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], null, newKeys[i], false);
        }
        rowBytes.clear();
    }

    boolean update(StoredTransaction transaction, Slice rowKey, Row values) {
        Transaction store = transaction.store();
        encodeRow(values);
        if (!readOld(store, rowKey)) {
            return false;
        }
        newKeyBytes.clear();
        if (numbered) {
            newKeyBytes.putSlice(oldKey);
        } else {
            encodeRowKey();
        }
        newKeyBytes.slice(newKey);
        boolean moved = Slice.compare(oldKey, newKey) != 0;
        encodeKeys(oldRow, oldKey, oldKeys);
        encodeKeys(newRow, newKey, newKeys);
        if (moved && store.get(tree, newKey, found)) {
            throw table.duplicate(null, newKey);
        }
        for (int i = 0; i < indexes.length; i++) {
            if (!newKeys[i].sameColumns(oldKeys[i])) {
                checkUnique(transaction, i);
            }
        }
        if (moved) {
            store.delete(tree, oldKey);
        }
        store.put(tree, newKey, row);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], oldKeys[i], newKeys[i], moved);
        }
        rowBytes.clear();
        return true;
    }

    boolean delete(StoredTransaction transaction, Slice rowKey) {
        Transaction store = transaction.store();
        if (!readOld(store, rowKey)) {
            return false;
        }
        encodeKeys(oldRow, oldKey, oldKeys);
        store.delete(tree, oldKey);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], oldKeys[i], null, false);
        }
        return true;
    }

    private void encodeRow(Row values) {
        encoder.encode(values, rowBytes);
        newRow.point(rowBytes.slice(row));
    }

    private void encodeRowKey() {
        KeyCodec.putColumns(newKeyBytes, newRow, table.keyTypes(), table.primaryKey());
        if (newKeyBytes.length() > IndexKey.BYTES_MAX) {
            throw IndexKey.tooLong(newKeyBytes.length(), table.table().name(), "");
        }
    }

    private void encodeKeys(StoredRow of, Slice rowKey, IndexKey[] keys) {
        for (int i = 0; i < indexes.length; i++) {
            keys[i].encode(table, indexes[i], of, rowKey);
        }
    }

    /// Takes `rowKey` over, which may lie in a page that is about to change, and finds its row.
    private boolean readOld(Transaction store, Slice rowKey) {
        oldKeyBytes.clear();
        oldKeyBytes.putSlice(rowKey);
        oldKeyBytes.slice(oldKey);
        if (!store.get(tree, oldKey, found)) {
            return false;
        }
        oldRow.point(found);
        return true;
    }

    private void checkUnique(StoredTransaction transaction, int i) {
        IndexKey key = newKeys[i];
        if (!key.distinct()) {
            return;
        }
        IndexEntry index = indexes[i];
        boolean exists;
        if (index.isArray()) {
            SortedArray array = transaction.array(index);
            byte[] bytes = key.toHeap();
            int length = key.columnBytes();
            exists = array.startsWith(array.ceiling(bytes, length), bytes, length);
        } else {
            exists = transaction.store().get(index.tree(), key.slice(), found);
        }
        if (exists) {
            throw table.duplicate(index, key.slice());
        }
    }

    /// Replaces the entry `old` by `now`; either may be null.
    ///
    /// @param moved whether the row's own key has changed
    private void writeIndex(
            StoredTransaction transaction,
            IndexEntry index,
            @Nullable IndexKey old,
            @Nullable IndexKey now,
            boolean moved) {
        if (old != null && now != null && old.same(now) && !moved) {
            return;
        }
        long entered = INDEX.enter();
        try {
            if (index.isArray()) {
                writeArray(transaction, index, old, now);
            } else {
                writeTree(transaction.store(), index.tree(), old, now);
            }
        } finally {
            INDEX.exit(entered);
        }
    }

    private void writeTree(
            Transaction store, Tree indexTree, @Nullable IndexKey old, @Nullable IndexKey now) {
        if (old != null && (now == null || !old.same(now))) {
            store.delete(indexTree, old.slice());
        }
        if (now != null) {
            store.put(indexTree, now.slice(), newKey);
        }
    }

    private static void writeArray(
            StoredTransaction transaction,
            IndexEntry index,
            @Nullable IndexKey old,
            @Nullable IndexKey now) {
        SortedArray array = transaction.array(index);
        if (old != null) {
            byte[] bytes = old.toHeap();
            int length = old.slice().length();
            long position = array.ceiling(bytes, length);
            if (array.is(position, bytes, length)) {
                array = array.without(position);
            }
        }
        if (now != null) {
            array = array.with(now.toHeap(), now.slice().length(), now.columnBytes());
        }
        transaction.array(index, array);
    }

    /// Row numbers ascend, so that the tree appends. One is used again only where the rows that
    /// had the highest ones are gone, and then no entry of an index names it any more.
    private long nextRow(Transaction store) {
        if (nextRow == 0) {
            Cursor cursor = store.cursor(tree);
            nextRow = 1;
            if (cursor.last()) {
                cursor.key(found);
                nextRow = new KeyReader().over(found).takeLong() + 1;
            }
        }
        return nextRow;
    }
}
