package dev.oriel.table.transaction;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Bulk;
import dev.oriel.table.Expressions;
import dev.oriel.table.array.ArrayWrites;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.row.ChangedRow;
import dev.oriel.table.row.RowEncoder;
import dev.oriel.table.row.RowLayout;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.IndexKey;
import dev.oriel.table.schema.IndexTerms;
import dev.oriel.table.schema.RowRules;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Changes the rows of one table and keeps its indexes in step. Holds the working memory of changes, so that a
/// change allocates nothing.
///
/// Each change goes in three steps: encode the row and all its keys; lock them and check everything that may
/// refuse it; write. So a row that is refused has written nothing. Keys are made from the encoded rows, which hold
/// the rounded values.
///
/// Locked are the row's own key and the keys of unique indexes. The other entries need no lock: they are written
/// only under the row's. Used by one transaction after another.
final class TableWriter {
    private static final Probe INDEX = Probe.of(TableWriter.class, "writeIndex");

    private final TableEntry table;
    private final Tree tree;
    private final RowEncoder encoder;
    private final @Nullable RowRules rules;
    private final boolean numbered;
    private final IndexEntry[] indexes;

    /// For each index its terms; null if it has columns.
    private final @Nullable IndexTerms[] terms;

    /// Whether an update may have to change an index, by index.
    private final boolean[] touched;

    private final IndexKey[] oldKeys;
    private final IndexKey[] newKeys;

    private final NativeBuffer rowBytes = new NativeBuffer(256);
    private final NativeBuffer oldKeyBytes = new NativeBuffer(64);
    private final NativeBuffer newKeyBytes = new NativeBuffer(64);
    private final Slice row = new Slice();
    private final SearchWriter[] searches;
    private final Slice oldKey = new Slice();
    private final Slice newKey = new Slice();
    private final Slice found = new Slice();
    private final NativeBuffer keyName = new NativeBuffer(64);
    private final Slice name = new Slice();

    /// Error for a duplicate key in a bulk load: of the table, and of each index.
    private final Consumer<Slice> refused;

    private final List<Consumer<Slice>> indexRefused = new ArrayList<>();
    private final List<Consumer<Slice>> searchRefused = new ArrayList<>();
    private final StoredRow oldRow;
    private final StoredRow newRow;

    /// Working memory for changes of rows of `table`, for one transaction until it is given back.
    static TableWriter of(TableEntry table, Expressions expressions) {
        return table.takeIdle() instanceof TableWriter kept
                ? kept
                : new TableWriter(table, expressions);
    }

    /// Fills the columns of `values` that are not `given` with their defaults.
    static void complete(StoredTransaction transaction, Table table, Tuple values, BitSet given) {
        for (int i = 0; i < table.columns().size(); i++) {
            if (given.get(i)) {
                continue;
            }
            Column column = table.columns().get(i);
            values.setNull(i);
            switch (column.filling()) {
                case null -> {}
                case ColumnDefault.Generated
                                _ -> {} // made of the others whenever the row is written
                case ColumnDefault.Default value ->
                        transaction
                                .core()
                                .expressions()
                                .prepare(table, value.expression(), column)
                                .evaluate(transaction, values, values, i);
                case ColumnDefault.Identity identity -> {
                    Sequence sequence = transaction.catalog().sequence(identity.sequence());
                    if (sequence != null) {
                        values.setLong(i, transaction.nextValue(sequence));
                    }
                }
            }
        }
    }

    /// Ends its use by a transaction.
    void giveBack() {
        trim();
        table.giveBack(this);
    }

    TableWriter(TableEntry table, Expressions expressions) {
        this.table = table;
        this.rules = table.hasRules() ? new RowRules(table.table(), expressions) : null;
        this.tree = table.tree();
        this.encoder = new RowEncoder(table.table(), table.layout());
        this.numbered = table.primaryKey().length == 0;
        List<IndexEntry> ordered = new ArrayList<>();
        List<SearchWriter> words = new ArrayList<>();
        for (IndexEntry index : table.indexes()) {
            if (index.isSearch()) {
                words.add(new SearchWriter(table, index));
            } else {
                ordered.add(index);
            }
        }
        this.indexes = ordered.toArray(new IndexEntry[0]);
        this.searches = words.toArray(new SearchWriter[0]);
        this.terms = new @Nullable IndexTerms[indexes.length];
        this.touched = new boolean[indexes.length];
        this.oldKeys = new IndexKey[indexes.length];
        this.newKeys = new IndexKey[indexes.length];
        for (int i = 0; i < indexes.length; i++) {
            terms[i] = IndexTerms.of(table.table(), indexes[i].definition(), expressions);
            oldKeys[i] = new IndexKey();
            newKeys[i] = new IndexKey();
        }
        this.refused = refusing(null);
        for (IndexEntry index : indexes) {
            indexRefused.add(refusing(index));
        }
        for (SearchWriter search : searches) {
            searchRefused.add(refusing(search.index()));
        }
        this.oldRow = table.newRow();
        this.newRow = table.newRow();
    }

    private Consumer<Slice> refusing(@Nullable IndexEntry index) {
        return twice -> {
            Slice rowKey = index == null ? null : rowKey(index, twice);
            throw rowKey == null ? table.duplicate(index, twice) : table.duplicate(null, rowKey);
        };
    }

    /// The row key at the end of an entry of `index`: if the entry is a duplicate, so is the row key. Null if it
    /// has none.
    private static @Nullable Slice rowKey(IndexEntry index, Slice entry) {
        KeyReader reader = new KeyReader().over(entry);
        for (Type type : index.types()) {
            reader.skip(type);
        }
        return reader.more() ? reader.rest() : null;
    }

    /// Adds a row, unless a row has the same value of a key of `arbiter`: then returns false, with the key of that row
    /// in `found`.
    boolean insert(
            StoredTransaction transaction, Row values, @Nullable Arbiter arbiter, Slice existing) {
        return insert(transaction, values, arbiter, existing, false);
    }

    /// Adds a row whose primary key no other transaction has.
    void insertNew(StoredTransaction transaction, Row values) {
        insert(transaction, values, null, found, true);
    }

    /// Hands a new row to a bulk load, with its index entries; duplicate keys are detected when the rows go into
    /// the trees.
    void load(StoredTransaction transaction, Row values, Bulk bulk) {
        encodeRow(transaction, values);
        newKeyBytes.clear();
        if (numbered) {
            KeyCodec.putLong(
                    newKeyBytes, table.takeRow(transaction.store(), transaction.core().store()));
        } else {
            encodeRowKey();
        }
        newKeyBytes.slice(newKey);
        stampVersion(transaction, 0);
        encodeKeys(transaction, newRow, newKey, newKeys);
        prepareSearches(null, newKey, newRow, newKey);
        bulk.add(tree, newKey, row, refused);
        transaction.wrote(table, newKey, table.expiryOf(newRow));
        for (int i = 0; i < indexes.length; i++) {
            if (!indexes[i].isArray() && newKeys[i].present()) {
                bulk.add(indexes[i].tree(), newKeys[i].slice(), newKey, indexRefused.get(i));
            }
        }
        for (int i = 0; i < searches.length; i++) {
            searches[i].load(newKey, bulk, searchRefused.get(i));
        }
        rowBytes.clear();
    }

    private boolean insert(
            StoredTransaction transaction,
            Row values,
            @Nullable Arbiter arbiter,
            Slice existing,
            boolean isNew) {
        Transaction store = transaction.store();
        encodeRow(transaction, values);
        newKeyBytes.clear();
        if (numbered) {
            KeyCodec.putLong(
                    newKeyBytes,
                    table.takeRow(
                            transaction.store(),
                            transaction.core().store())); // a key that no other row has
        } else {
            encodeRowKey();
        }
        newKeyBytes.slice(newKey);
        stampVersion(transaction, 0);
        encodeKeys(transaction, newRow, newKey, newKeys);
        if (arbiter != null && findArbiter(transaction, arbiter, existing)) {
            return false;
        }
        if (!numbered && !isNew) {
            lock(store, tree, newKey);
            isTaken(transaction, false);
        }
        for (int i = 0; i < indexes.length; i++) {
            lockUnique(transaction, indexes[i], newKeys[i]);
            isTaken(transaction, i, false);
        }
        prepareSearches(null, newKey, newRow, newKey);
        store.putUnlocked(tree, newKey, row);
        transaction.wrote(table, newKey, table.expiryOf(newRow));
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], null, newKeys[i], false);
            testLater(transaction, i);
        }
        for (SearchWriter search : searches) {
            search.write(store, newKey);
        }
        transaction.foreignKeys().written(table, newRow, newKey, -1);
        rowBytes.clear();
        return true;
    }

    /// Looks for a row with a key that `arbiter` names, and locks these keys.
    private boolean findArbiter(StoredTransaction transaction, Arbiter arbiter, Slice existing) {
        Transaction store = transaction.store();
        if (!numbered && arbiter.decides(null)) {
            lock(store, tree, newKey);
            if (store.get(tree, newKey, found) && !removeExpired(transaction, newKey)) {
                existing.setCopy(newKey);
                return true;
            }
        }
        for (int i = 0; i < indexes.length; i++) {
            if (!newKeys[i].unique() || !arbiter.decides(indexes[i].definition())) {
                continue;
            }
            if (newKeys[i].distinct()) {
                lockUnique(transaction, indexes[i], newKeys[i]);
            } else {
                lock(store, tree, newKey); // it holds the row's key, which decides
            }
            if (findUnique(transaction, i) && !removeExpired(transaction, found)) {
                checkSeen(transaction, indexes[i]);
                existing.setCopy(found);
                return true;
            }
        }
        return false;
    }

    /// Refuses a row found in an array that the snapshot lacks. A lock of a key in a tree refuses such rows itself.
    private void checkSeen(StoredTransaction transaction, IndexEntry index) {
        if (index.isArray() && !transaction.store().get(tree, found, new Slice())) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "Another transaction has committed a row with a key that this one writes; run it"
                            + " again",
                    "table=" + table.table().name() + " index=" + index.definition().name());
        }
    }

    /// Points `out` at the new row of the last insertion, refused because of `findArbiter`.
    void offered(StoredRow out) {
        out.point(row);
    }

    /// Points `out` at the key of the row that was inserted or updated last.
    void writtenKey(Slice out) {
        out.setCopy(newKey);
    }

    /// Replaces the row `rowKey`.
    ///
    /// @param patient whether a key that another row has may be given to it: then it is taken out until the end of the
    ///     statement ([TakenRows])
    boolean update(StoredTransaction transaction, Slice rowKey, Row values, boolean patient) {
        Transaction store = transaction.store();
        encodeRow(transaction, values);
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
        ChangedRow change = changeOf(values);
        for (int i = 0; i < indexes.length; i++) {
            touched[i] = moved || isTouched(i, change);
            if (touched[i]) {
                encodeKey(transaction, i, oldRow, oldKey, oldKeys);
                encodeKey(transaction, i, newRow, newKey, newKeys);
            }
        }
        prepareSearches(oldRow, oldKey, newRow, newKey);
        if (moved) {
            lock(store, tree, newKey);
        }
        boolean taken = moved && isTaken(transaction, patient);
        for (int i = 0; i < indexes.length; i++) {
            if (!touched[i]) {
                continue;
            }
            if (!newKeys[i].sameColumns(oldKeys[i])) {
                lockUnique(transaction, indexes[i], oldKeys[i]);
                lockUnique(transaction, indexes[i], newKeys[i]);
                taken |= isTaken(transaction, i, patient);
            } else if (moved) {
                lockUnique(transaction, indexes[i], newKeys[i]);
            }
        }
        if (taken) {
            takeOut(transaction);
            return true;
        }
        long refers = transaction.foreignKeys().changed(table, oldRow, newRow, change);
        transaction.foreignKeys().leaving(table, oldRow, oldKey, newRow, change, false);
        if (moved) {
            store.deleteUnlocked(tree, oldKey);
        }
        store.putUnlocked(tree, newKey, row);
        transaction.wrote(table, newKey, table.expiryOf(newRow));
        for (int i = 0; i < indexes.length; i++) {
            if (touched[i]) {
                writeIndex(transaction, indexes[i], oldKeys[i], newKeys[i], moved);
                if (!newKeys[i].sameColumns(oldKeys[i])) {
                    testLater(transaction, i);
                }
            }
        }
        for (SearchWriter search : searches) {
            search.write(store, newKey);
        }
        if (refers != 0 || moved) {
            transaction.foreignKeys().written(table, newRow, newKey, refers);
        }
        rowBytes.clear();
        return true;
    }

    /// Removes the row to be changed, and its entries, until others have changed their keys.
    private void takeOut(StoredTransaction transaction) {
        transaction.foreignKeys().follow(table, oldRow, newRow);
        transaction.store().get(tree, oldKey, found);
        transaction.foreignKeys().taken().add(table, oldKey, found, row);
        removeOld(transaction, false);
        rowBytes.clear();
    }

    /// Puts back a row that was taken out.
    ///
    /// @param rowKey its key before
    /// @param before the former row
    /// @param now the new row
    /// @throws dev.oriel.table.definition.ConstraintException if another row has one of its keys
    void putBack(StoredTransaction transaction, Slice rowKey, Slice before, Slice now) {
        Transaction store = transaction.store();
        oldKeyBytes.clear();
        oldKeyBytes.putSlice(rowKey);
        oldKeyBytes.slice(oldKey);
        oldRow.point(before);
        rowBytes.clear();
        rowBytes.putSlice(now);
        newRow.point(rowBytes.slice(row));
        newKeyBytes.clear();
        if (numbered) {
            newKeyBytes.putSlice(oldKey);
        } else {
            encodeRowKey();
        }
        newKeyBytes.slice(newKey);
        encodeKeys(transaction, newRow, newKey, newKeys);
        isTaken(transaction, false);
        for (int i = 0; i < indexes.length; i++) {
            isTaken(transaction, i, false);
        }
        prepareSearches(null, newKey, newRow, newKey);
        long refers = transaction.foreignKeys().changed(table, oldRow, newRow, null);
        transaction.foreignKeys().leaving(table, oldRow, oldKey, newRow, null, true);
        store.putUnlocked(tree, newKey, row);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], null, newKeys[i], false);
            testLater(transaction, i);
        }
        for (SearchWriter search : searches) {
            search.write(store, newKey);
        }
        if (refers != 0 || Slice.compare(oldKey, newKey) != 0) {
            transaction.foreignKeys().written(table, newRow, newKey, refers);
        }
        rowBytes.clear();
    }

    /// The columns that may differ; null if all may, for example because of generated columns.
    private @Nullable ChangedRow changeOf(Row values) {
        boolean generates = rules != null && rules.generates();
        return values instanceof ChangedRow change && !generates ? change : null;
    }

    private boolean isTouched(int i, @Nullable ChangedRow change) {
        if (change == null || terms[i] != null) {
            return true;
        }
        int[] columns = indexes[i].columns();
        for (int column : columns) {
            if (column == table.version()) {
                return true;
            }
        }
        return !change.keepsAll(columns);
    }

    boolean delete(StoredTransaction transaction, Slice rowKey) {
        return lockOld(transaction, rowKey) && deleteOld(transaction);
    }

    /// Removes the row `rowKey` if it has expired; false if it has not, or is gone.
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

    /// Frees memory that long rows have taken.
    private void trim() {
        found.trim(StoredTransaction.KEPT_BYTES_MAX);
        oldKey.trim(StoredTransaction.KEPT_BYTES_MAX);
        newKey.trim(StoredTransaction.KEPT_BYTES_MAX);
        rowBytes.clear();
        if (row.segment().byteSize() > StoredTransaction.KEPT_BYTES_MAX) {
            row.set(MemorySegment.NULL, 0, 0); // the buffer may have given this memory up
            newRow.forget();
        }
        oldRow.forget();
    }

    private boolean deleteOld(StoredTransaction transaction) {
        removeOld(transaction, true);
        return true;
    }

    /// @param leaves whether the row goes for good
    private void removeOld(StoredTransaction transaction, boolean leaves) {
        Transaction store = transaction.store();
        encodeKeys(transaction, oldRow, oldKey, oldKeys);
        prepareSearches(oldRow, oldKey, null, oldKey);
        for (int i = 0; i < indexes.length; i++) {
            lockUnique(transaction, indexes[i], oldKeys[i]);
        }
        if (leaves) {
            transaction.foreignKeys().leaving(table, oldRow, oldKey);
        }
        store.deleteUnlocked(tree, oldKey);
        for (int i = 0; i < indexes.length; i++) {
            writeIndex(transaction, indexes[i], oldKeys[i], null, false);
        }
        for (SearchWriter search : searches) {
            search.write(store, oldKey);
        }
    }

    /// Whether the row `key` had expired and was removed now, by another writer: this one is in the middle of a
    /// change.
    private boolean removeExpired(StoredTransaction transaction, Slice key) {
        if (!table.expires()) {
            return false;
        }
        TableWriter other = of(table, transaction.core().expressions());
        try {
            return other.deleteExpired(transaction, key);
        } finally {
            other.giveBack();
        }
    }

    private void prepareSearches(
            @Nullable StoredRow before, Slice beforeKey, @Nullable StoredRow now, Slice nowKey) {
        for (SearchWriter search : searches) {
            search.prepare(before, beforeKey, now, nowKey);
        }
    }

    /// Puts a new version into the encoded row, in place of a given one.
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
        newRow.point(row); // it has read which columns are NULL
    }

    private static void lock(Transaction store, Tree of, Slice key) {
        store.lock(of, key, Transaction.LockMode.EXCLUSIVE, store.patience());
    }

    /// Locks a key of a unique index. Keys of an ARRAY index are in no tree, and a key that is tested at the commit has
    /// several entries. They are represented by a row key with the name of the columns, which no row ever has.
    private void lockUnique(StoredTransaction transaction, IndexEntry index, IndexKey key) {
        if (!key.distinct() && !key.deferred()) {
            return;
        }
        if (!index.isArray() && !key.deferred()) {
            lock(transaction.store(), index.tree(), key.slice());
            return;
        }
        keyName.clear();
        keyName.putByte(KeyCodec.AFTER); // no row key begins so
        keyName.putByte(KeyCodec.AFTER); // nor a name of ParentKey, by which referring rows lock it
        KeyCodec.putLong(keyName, index.id());
        keyName.putSlice(key.columns(name));
        lock(transaction.store(), tree, keyName.slice(name));
    }

    private void encodeRow(StoredTransaction transaction, Row values) {
        RowRules rule = rules;
        if (rule == null) {
            encoder.encode(values, rowBytes);
            newRow.point(rowBytes.slice(row));
            return;
        }
        if (rule.generates()) {
            encoder.encode(rule.bare(values), rowBytes, false);
            newRow.point(rowBytes.slice(row));
            encoder.encode(rule.completed(transaction, newRow), rowBytes);
        } else {
            encoder.encode(values, rowBytes);
        }
        newRow.point(rowBytes.slice(row));
        rule.check(transaction, newRow);
    }

    /// Tests that the table accepts the row `values`.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if not
    void validate(StoredTransaction transaction, Row values) {
        encodeRow(transaction, values);
        rowBytes.clear();
    }

    private void encodeRowKey() {
        StoredKey.putColumns(newKeyBytes, newRow, table.keyTypes(), table.primaryKey());
        if (newKeyBytes.length() > KeyCodec.BYTES_MAX) {
            throw KeyCodec.tooLong(newKeyBytes.length(), table.table().name(), "");
        }
    }

    private void encodeKeys(
            StoredTransaction transaction, StoredRow of, Slice rowKey, IndexKey[] keys) {
        for (int i = 0; i < indexes.length; i++) {
            encodeKey(transaction, i, of, rowKey, keys);
        }
    }

    private void encodeKey(
            StoredTransaction transaction, int i, StoredRow of, Slice rowKey, IndexKey[] keys) {
        IndexTerms own = terms[i];
        if (own == null) {
            keys[i].encode(table, indexes[i], of, rowKey);
        } else {
            keys[i].encodeTerms(table, indexes[i], own.of(transaction, of), rowKey);
        }
    }

    /// Copies `rowKey`, which may lie in a page that is about to change, locks it and finds its row.
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

    /// Whether another row has the new row key. Throws if it may not.
    ///
    /// @param patient whether the other row may have it for now
    private boolean isTaken(StoredTransaction transaction, boolean patient) {
        if (!transaction.store().get(tree, newKey, found) || removeExpired(transaction, newKey)) {
            return false;
        }
        if (!patient || transaction.foreignKeys().followsItself(table)) {
            throw table.duplicate(null, newKey);
        }
        return true;
    }

    /// Whether another row has the new key in index `i`, if that is a unique one. Throws if it may not.
    ///
    /// @param patient whether the other row may have it for now
    private boolean isTaken(StoredTransaction transaction, int i, boolean patient) {
        if (!newKeys[i].distinct()
                || !findUnique(transaction, i)
                || removeExpired(transaction, found)) {
            return false;
        }
        if (!patient || transaction.foreignKeys().followsItself(table)) {
            throw table.duplicate(indexes[i], newKeys[i].slice());
        }
        return true;
    }

    /// Queues a test of the new key in index `i`, if its constraint is deferred.
    private void testLater(StoredTransaction transaction, int i) {
        if (newKeys[i].deferred()) {
            Slice columns = newKeys[i].columns(name);
            transaction.foreignKeys().shared(table, indexes[i].definition(), columns);
        }
    }

    /// Points `found` at the key of the row that has the new key in unique index `i`; false if none has.
    private boolean findUnique(StoredTransaction transaction, int i) {
        IndexEntry index = indexes[i];
        IndexKey key = newKeys[i];
        if (!index.isArray()) {
            return transaction.store().get(index.tree(), key.slice(), found);
        }
        SortedArray array = transaction.arrays().newest(index);
        byte[] bytes = key.toHeap();
        int length = key.columnBytes();
        long at = array.ceiling(bytes, length);
        if (!array.startsWith(at, bytes, length)) {
            return false;
        }
        array.rowKey(at, found);
        return true;
    }

    /// Replaces the entry `old` by `now`; either may be null.
    ///
    /// @param moved whether the row's own key has changed
    private void writeIndex(
            StoredTransaction transaction,
            IndexEntry index,
            @Nullable IndexKey oldKeyOf,
            @Nullable IndexKey newKeyOf,
            boolean moved) {
        IndexKey old = oldKeyOf != null && oldKeyOf.present() ? oldKeyOf : null;
        IndexKey now = newKeyOf != null && newKeyOf.present() ? newKeyOf : null;
        if (old == null && now == null) {
            return;
        }
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
        ArrayWrites writes = transaction.arrays().writes(index);
        if (old != null) {
            int length = old.slice().length();
            writes = writes.without(Arrays.copyOf(old.toHeap(), length), length);
        }
        if (now != null) {
            int length = now.slice().length();
            byte[] entry = Arrays.copyOf(now.toHeap(), length);
            writes = writes.with(entry, length, now.columnBytes());
        }
        transaction.arrays().put(index, writes);
    }
}
