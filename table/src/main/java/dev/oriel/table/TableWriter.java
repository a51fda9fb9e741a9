package dev.oriel.table;

import dev.oriel.profiler.Probe;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Changes the rows of one table and keeps its indexes in step. Holds the working memory of a
/// change, so that one after the other allocates nothing of its own.
///
/// Each change goes in three steps: encode the row and all its keys; lock what it will write and check
/// everything that may refuse it; write. So a row that is refused has written nothing. Keys are made
/// from the encoded rows, which hold the values as they were rounded.
///
/// Locked are the row's own key and the keys of unique indexes. The other entries follow from the row:
/// nobody writes them without its lock. Used by one transaction after another.
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
    private final NativeBuffer keyName = new NativeBuffer(64);
    private final Slice name = new Slice();
    private final StoredRow oldRow;
    private final StoredRow newRow;

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
        insert(transaction, values, false);
    }

    /// Of a row whose primary key nobody else has.
    void insertNew(StoredTransaction transaction, Row values) {
        insert(transaction, values, true);
    }

    private void insert(StoredTransaction transaction, Row values, boolean isNew) {
        Transaction store = transaction.store();
        encodeRow(values);
        newKeyBytes.clear();
        if (numbered) {
            KeyCodec.putLong(newKeyBytes, table.takeRow(store)); // a key that nobody else has
        } else {
            encodeRowKey();
        }
        newKeyBytes.slice(newKey);
        if (!numbered && !isNew) {
            lock(store, tree, newKey);
            if (store.get(tree, newKey, found) && !removeExpired(transaction, newKey)) {
                throw table.duplicate(null, newKey);
            }
        }
        stampVersion(transaction, 0);
        encodeKeys(newRow, newKey, newKeys);
        for (int i = 0; i < indexes.length; i++) {
            lockUnique(transaction, indexes[i], newKeys[i]);
            checkUnique(transaction, i);
        }
        store.putUnlocked(tree, newKey, row);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], null, newKeys[i], false);
        }
        rowBytes.clear();
    }

    boolean update(StoredTransaction transaction, Slice rowKey, Row values) {
        Transaction store = transaction.store();
        encodeRow(values);
        if (!lockOld(transaction, rowKey)) {
            return false;
        }
        stampVersion(transaction, table.version() < 0 ? 0 : oldRow.longAt(table.version()));
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
        if (moved) {
            lock(store, tree, newKey);
            if (store.get(tree, newKey, found) && !removeExpired(transaction, newKey)) {
                throw table.duplicate(null, newKey);
            }
        }
        for (int i = 0; i < indexes.length; i++) {
            if (!newKeys[i].sameColumns(oldKeys[i])) {
                lockUnique(transaction, indexes[i], oldKeys[i]);
                lockUnique(transaction, indexes[i], newKeys[i]);
                checkUnique(transaction, i);
            } else if (moved) {
                lockUnique(transaction, indexes[i], newKeys[i]);
            }
        }
        if (moved) {
            store.deleteUnlocked(tree, oldKey);
        }
        store.putUnlocked(tree, newKey, row);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], oldKeys[i], newKeys[i], moved);
        }
        rowBytes.clear();
        return true;
    }

    boolean delete(StoredTransaction transaction, Slice rowKey) {
        return lockOld(transaction, rowKey) && deleteOld(transaction);
    }

    /// Removes the row `rowKey`, which has expired; false where it has not, any more.
    boolean deleteExpired(StoredTransaction transaction, Slice rowKey) {
        Transaction store = transaction.store();
        oldKeyBytes.clear();
        oldKeyBytes.putSlice(rowKey);
        oldKeyBytes.slice(oldKey);
        lock(store, tree, oldKey);
        if (!store.get(tree, oldKey, found)) {
            return false;
        }
        oldRow.point(found);
        return transaction.isExpired(table, oldRow) && deleteOld(transaction);
    }

    private boolean deleteOld(StoredTransaction transaction) {
        Transaction store = transaction.store();
        encodeKeys(oldRow, oldKey, oldKeys);
        for (int i = 0; i < indexes.length; i++) {
            lockUnique(transaction, indexes[i], oldKeys[i]);
        }
        store.deleteUnlocked(tree, oldKey);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], oldKeys[i], null, false);
        }
        return true;
    }

    /// Whether the row `key` had expired, and so was removed now. Another writer
    /// does it: this one is in the middle of a change.
    private boolean removeExpired(StoredTransaction transaction, Slice key) {
        if (!table.expires()) {
            return false;
        }
        TableWriter other = table.takeWriter();
        try {
            return other.deleteExpired(transaction, key);
        } finally {
            table.giveBack(other);
        }
    }

    /// Puts a new version into the row that was encoded, whatever its values say.
    private void stampVersion(StoredTransaction transaction, long before) {
        int column = table.version();
        if (column < 0) {
            return;
        }
        MemorySegment segment = row.segment();
        long bitmap = row.offset() + RowLayout.HEADER_BYTES + (column >> 3);
        int bits = segment.get(NativeBuffer.BYTE, bitmap) & ~(1 << (column & 7));
        segment.set(NativeBuffer.BYTE, bitmap, (byte) bits);
        long version = transaction.takeRowVersion(before);
        segment.set(NativeBuffer.LONG, newRow.start(column), version);
    }

    private static void lock(Transaction store, Tree of, Slice key) {
        store.lock(of, key, Transaction.LockMode.EXCLUSIVE, store.patience());
    }

    /// Locks a key of a unique index. Those of an ARRAY index are in no tree: a name for the key among
    /// the table's row keys stands for it, under which there never is a row.
    private void lockUnique(StoredTransaction transaction, IndexEntry index, IndexKey key) {
        if (!key.distinct()) {
            return;
        }
        if (!index.isArray()) {
            lock(transaction.store(), index.tree(), key.slice());
            return;
        }
        keyName.clear();
        keyName.putByte(KeyCodec.AFTER); // no row key begins so
        KeyCodec.putLong(keyName, index.id());
        keyName.putSlice(key.slice());
        lock(transaction.store(), tree, keyName.slice(name));
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

    /// Takes `rowKey` over, which may lie in a page that is about to change, locks it and finds its
    /// row.
    private boolean lockOld(StoredTransaction transaction, Slice rowKey) {
        Transaction store = transaction.store();
        oldKeyBytes.clear();
        oldKeyBytes.putSlice(rowKey);
        oldKeyBytes.slice(oldKey);
        lock(store, tree, oldKey);
        if (!store.get(tree, oldKey, found)) {
            return false;
        }
        oldRow.point(found);
        return !table.expires() || !transaction.isExpired(table, oldRow);
    }

    private void checkUnique(StoredTransaction transaction, int i) {
        IndexKey key = newKeys[i];
        if (!key.distinct()) {
            return;
        }
        IndexEntry index = indexes[i];
        boolean exists;
        if (index.isArray()) {
            SortedArray array = transaction.newestArray(index);
            byte[] bytes = key.toHeap();
            int length = key.columnBytes();
            long at = array.ceiling(bytes, length);
            exists = array.startsWith(at, bytes, length);
            if (exists && table.expires()) {
                SortedBlock block = array.block(at);
                int rowKey = block.rowKeyStart((int) at);
                keyName.clear();
                keyName.putBytes(block.bytes(), rowKey, block.end((int) at) - rowKey);
                keyName.slice(found);
            }
        } else {
            exists = transaction.store().get(index.tree(), key.slice(), found);
        }
        if (exists && !removeExpired(transaction, found)) {
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
            store.deleteUnlocked(indexTree, old.slice());
        }
        if (now != null) {
            store.putUnlocked(indexTree, now.slice(), newKey);
        }
    }

    private static void writeArray(
            StoredTransaction transaction,
            IndexEntry index,
            @Nullable IndexKey old,
            @Nullable IndexKey now) {
        ArrayWrites writes = transaction.arrayWrites(index);
        if (old != null) {
            int length = old.slice().length();
            writes = writes.without(Arrays.copyOf(old.toHeap(), length), length);
        }
        if (now != null) {
            int length = now.slice().length();
            byte[] entry = Arrays.copyOf(now.toHeap(), length);
            writes = writes.with(entry, length, now.columnBytes());
        }
        transaction.arrayWrites(index, writes);
    }
}
