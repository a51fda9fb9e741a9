package dev.oriel.table.engine;

import dev.oriel.store.BulkOptions;
import dev.oriel.store.ConflictException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LockWait;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreStats;
import dev.oriel.store.TemporaryFile;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Bulk;
import dev.oriel.store.engine.Store;
import dev.oriel.table.Expressions;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.Constraints;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import dev.oriel.table.expiry.ExpiryBound;
import dev.oriel.table.expiry.SweepPlace;
import dev.oriel.table.maintenance.CheckProgress;
import dev.oriel.table.maintenance.ReferenceCheck;
import dev.oriel.table.maintenance.TableCheck;
import dev.oriel.table.schema.CatalogCodec;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.statistics.Statistics;
import dev.oriel.table.statistics.TableStatistics;
import dev.oriel.table.transaction.BulkRows;
import dev.oriel.table.transaction.IndexBuild;
import dev.oriel.table.transaction.StoredTransaction;
import dev.oriel.table.transaction.TableCore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// All tables of a store. The composition root of this module.
///
/// Any number of threads may begin transactions; each transaction belongs to one of them at a time.
public final class Tables implements AutoCloseable {
    /// Time until the next try to remove an expired row that is locked by another transaction or referenced by rows. So
    /// such rows do not keep the others waiting.
    private static final long RETRY_MICROS = 1_000_000;

    private final Store store;
    private final TableCore core;
    private final Map<String, Object> attachments = new HashMap<>();

    private Tables(Store store, LongSupplier clock) {
        this.store = store;
        this.core = new TableCore(store, clock);
    }

    TableCore core() {
        return core;
    }

    /// Reads the catalog of `store`, creating an empty one in a new store, and builds the ARRAY
    /// indexes. Closing the result closes the store.
    public static Tables open(Store store) {
        return open(store, Tables::systemMicros);
    }

    /// [#open(Store)] with a clock for the expiry of rows, in microseconds since 1970.
    public static Tables open(Store store, LongSupplier clock) {
        Tables tables = new Tables(store, clock);
        if (!tables.load()) {
            tables.createCatalog();
            tables.load();
        }
        if (store.isWritable()) {
            tables.dropTemporary();
        }
        List<Tree> unused = store.isWritable() ? tables.core.unusedTrees() : List.of();
        if (!unused.isEmpty()) {
            tables.core.drop(unused);
        }
        return tables;
    }

    /// Drops the temporary tables of sessions that did not end before the store was closed.
    private void dropTemporary() {
        Set<String> schemas = new TreeSet<>();
        Catalog catalog = catalog();
        for (Table table :
                catalog.byName().values()) { // loops: each lambda is a class of the first second
            addTemporary(table.schema(), schemas);
        }
        for (View view : catalog.viewsByName().values()) {
            addTemporary(view.schema(), schemas);
        }
        for (Sequence sequence : catalog.sequencesByName().values()) {
            addTemporary(sequence.schema(), schemas);
        }
        if (!schemas.isEmpty()) {
            try (TableTransaction transaction = beginExclusive()) {
                schemas.forEach(schema -> dropTemporary(transaction, schema));
                transaction.commit();
            }
        }
    }

    private static void addTemporary(String schema, Set<String> into) {
        if (Catalog.isTemporary(schema)) {
            into.add(schema);
        }
    }

    /// Drops all that belongs to the schema `schema` of temporary tables.
    public static void dropTemporary(TableTransaction transaction, String schema) {
        Catalog catalog = transaction.catalog();
        for (View view : catalog.viewsByName().values()) {
            if (view.schema().equals(schema)) {
                transaction.drop(view);
            }
        }
        for (Table table : catalog.byName().values()) {
            if (table.schema().equals(schema)) {
                dropTemporary(transaction, table);
            }
        }
        for (Sequence sequence : transaction.catalog().sequencesByName().values()) {
            if (sequence.schema().equals(schema)) {
                transaction.drop(sequence);
            }
        }
    }

    /// Drops the temporary table `dropped`, and the foreign keys that refer to it.
    public static void dropTemporary(TableTransaction transaction, Table dropped) {
        for (Table table : transaction.catalog().byName().values()) {
            List<ForeignKey> kept =
                    table.constraints().foreignKeys().stream()
                            .filter(key -> key.parent() != dropped.id())
                            .toList();
            if (kept.size() < table.constraints().foreignKeys().size()
                    && table.id() != dropped.id()) {
                Constraints without = table.constraints().withForeignKeys(kept);
                transaction.redefine(table.withConstraints(without), null);
            }
        }
        transaction.drop(dropped);
    }

    private static long systemMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    /// The time in microseconds since 1970.
    public long nowMicros() {
        return core.nowMicros();
    }

    private void createCatalog() {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree(CatalogCodec.TREE);
            transaction.put(
                    tree, CatalogCodec.key(CatalogCodec.HEADER_KEY), CatalogCodec.header(1));
            transaction.commit();
        }
    }

    /// Reads all definitions; false if there is no catalog.
    private boolean load() {
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree(CatalogCodec.TREE);
            if (tree == null) {
                return false;
            }
            Map<Long, TableEntry> entries = new HashMap<>();
            Map<Long, View> views = new HashMap<>();
            Map<Long, Sequence> sequences = new HashMap<>();
            Map<Long, Note> notes = new HashMap<>();
            Map<Long, PropertyGraph> graphs = new HashMap<>();
            long nextId = 1;
            Cursor cursor = transaction.cursor(tree);
            Slice key = new Slice();
            Slice value = new Slice();
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.key(key);
                cursor.value(value);
                long id = CatalogCodec.id(key);
                if (id == CatalogCodec.HEADER_KEY) {
                    nextId = CatalogCodec.nextId(value);
                    continue;
                }
                switch (CatalogCodec.decode(id, value)) {
                    case CatalogCodec.Definition.OfTable table ->
                            entries.put(id, entry(transaction, table));
                    case CatalogCodec.Definition.OfView view -> views.put(id, view.view());
                    case CatalogCodec.Definition.OfSequence sequence ->
                            sequences.put(id, sequence.sequence());
                    case CatalogCodec.Definition.OfNote note -> notes.put(id, note.note());
                    case CatalogCodec.Definition.OfGraph graph -> graphs.put(id, graph.graph());
                }
            }
            Schema.Parts parts = new Schema.Parts(nextId, entries, views, sequences, notes, graphs);
            demandWhole(parts);
            Schema schema = Schema.of(core.nextVersion(), parts);
            core.publishFirst(transaction.snapshot(), schema);
            return true;
        }
    }

    /// Throws if a definition refers to one that is not there, or would get the number of another one.
    private static void demandWhole(Schema.Parts parts) {
        for (TableEntry entry : parts.tables().values()) {
            Table table = entry.table();
            demand(table.id() < parts.nextId(), table, "number=" + table.id());
            for (IndexEntry index : entry.indexes()) {
                demand(index.id() < parts.nextId(), table, "index=" + index.id());
            }
            for (ForeignKey key : table.constraints().foreignKeys()) {
                TableEntry parent = parts.tables().get(key.parent());
                int columns = parent == null ? 0 : parent.table().columns().size();
                boolean fits =
                        key.columns().size() == key.parentColumns().size()
                                && key.parentColumns().stream().allMatch(each -> each < columns);
                demand(parent != null && fits, table, "foreignKey=" + key.name());
            }
            for (Column column : table.columns()) {
                boolean counted =
                        !(column.filling() instanceof ColumnDefault.Identity identity)
                                || parts.sequences().containsKey(identity.sequence());
                demand(counted, table, "identity=" + column.name());
            }
        }
    }

    private static void demand(boolean right, Table table, String facts) {
        if (!right) {
            throw new CorruptionException(
                    "A definition refers to an object that does not exist; restore a backup",
                    "table=" + table.name() + " " + facts);
        }
    }

    private TableEntry entry(Transaction transaction, CatalogCodec.Definition.OfTable definition) {
        Table table = definition.table();
        Tree tree = tree(transaction, TableEntry.treeName(table.id()), table);
        List<IndexEntry> indexes = new ArrayList<>();
        for (int i = 0; i < table.indexes().size(); i++) {
            Index index = table.indexes().get(i);
            long id = definition.indexIds().get(i);
            indexes.add(
                    switch (index.kind()) {
                        case BTREE, SEARCH -> {
                            Tree entries = tree(transaction, IndexEntry.treeName(id), table);
                            yield new IndexEntry(id, index, table, entries);
                        }
                        case ARRAY -> new IndexEntry(id, index, table, null);
                    });
        }
        TableEntry entry = new TableEntry(table, tree, indexes, definition.missing());
        for (IndexEntry index : indexes) {
            if (index.isArray()) {
                SortedArray array = new IndexBuild(transaction, entry, index).array();
                index.versions().publish(transaction.snapshot(), array, core.oldest());
            }
        }
        return entry;
    }

    private static Tree tree(Transaction transaction, String name, Table table) {
        Tree tree = transaction.tree(name);
        if (tree == null) {
            throw new CorruptionException(
                    "The catalog names a tree that does not exist; restore a backup",
                    "table=" + table.name() + " tree=" + name);
        }
        return tree;
    }

    /// The newest committed catalog.
    public Catalog catalog() {
        return core.newestSchema().catalog();
    }

    /// The position of `sequence` now.
    public Sequence.Position position(Sequence sequence) {
        try (Transaction transaction = store.beginRead()) {
            return core.counter(sequence.id()).position(transaction, sequence);
        }
    }

    /// Begins a read-only transaction on the newest committed state. Never waits.
    public TableTransaction beginRead() {
        return begun(store.beginRead());
    }

    /// Like [#beginRead], for a caller that holds a lock of its own during each call.
    public TableTransaction beginReadUnderLock() {
        return begun(store.beginReadUnderLock());
    }

    /// Begins a writing transaction of level SNAPSHOT, one of many.
    public TableTransaction beginWrite() {
        return beginWrite(Isolation.SNAPSHOT);
    }

    /// Begins a writing transaction, one of many.
    public TableTransaction beginWrite(Isolation isolation) {
        return begun(store.beginWrite(isolation));
    }

    /// Begins a writing transaction for a caller that must not wait: null if beginning would wait, or its commit
    /// would wait for the disk. Any lock that is not free at once, not only of the changed row, is a
    /// [ConflictException] (LOCKED).
    ///
    /// @param durability class of its commit; null for the database's default
    public @Nullable TableTransaction tryBeginWrite(
            Isolation isolation, @Nullable Durability durability) {
        Transaction transaction = store.tryBeginWrite(isolation, durability);
        return transaction == null ? null : begun(transaction);
    }

    /// Begins a transaction that is the only one to write.
    public TableTransaction beginExclusive() {
        return begun(store.beginExclusive());
    }

    /// Begins a bulk load, as the only writing transaction. Inserted rows are sorted in bounded memory, then
    /// loaded into tables and indexes at once, bypassing the log. This happens at commit, or before any operation
    /// other than an insert; duplicate keys are refused only then. If a statement fails after inserting rows, the
    /// transaction can only roll back. An idle bulk load is rolled back after a timeout.
    ///
    /// @throws ConflictException if the active writers do not end in time
    public TableTransaction beginBulk(BulkOptions options) {
        Bulk bulk = store.bulk(options);
        boolean begun = false;
        try {
            StoredTransaction transaction = begun(bulk.transaction());
            begun = true;
            return transaction.loading(new BulkRows(bulk));
        } finally {
            if (!begun) {
                bulk.close();
            }
        }
    }

    /// Begins a transaction that only adds tables, concurrently with writers: they continue, and only commits wait
    /// for it. It sees all that is committed. A caller with a writing transaction of its own gives it as `beside`;
    /// that one sees the new tables after [TableTransaction#refresh()].
    ///
    /// @throws ConflictException if an exclusive transaction does not end in time
    public TableTransaction beginDefining(@Nullable TableTransaction beside) {
        if (beside != null) {
            return beginAdding((StoredTransaction) beside);
        }
        StoredTransaction place = begun(store.beginWrite(Isolation.READ_COMMITTED));
        boolean begun = false;
        try {
            StoredTransaction adding = beginAdding(place);
            adding.definitions().endWith(place.store());
            begun = true;
            return adding;
        } finally {
            if (!begun) {
                place.close();
            }
        }
    }

    /// Whether [#beginDefining] may add tables while `own` is open: not if that has changed definitions or is
    /// exclusive, and so creates tables itself.
    public boolean mayAddBeside(TableTransaction own) {
        return own.writable() && !((StoredTransaction) own).definitions().isAlone();
    }

    private StoredTransaction beginAdding(StoredTransaction beside) {
        beside.definitions().letAdd();
        Transaction transaction = store.beginDefining(beside.store());
        return new StoredTransaction(core, transaction, core.newestSchema());
    }

    private StoredTransaction begun(Transaction transaction) {
        return new StoredTransaction(core, transaction, core.schemaAt(transaction.snapshot()));
    }

    /// Points an ended read-only transaction at the newest committed state.
    public void renew(TableTransaction transaction) {
        ((StoredTransaction) transaction).renew();
    }

    /// Points an ended read-only transaction at the snapshot of `like`, so that several threads read one state, each in
    /// a transaction of its own. `like` is read-only too and stays open until all of them have ended. No other thread
    /// uses the transaction during this call.
    public void renew(TableTransaction transaction, TableTransaction like) {
        ((StoredTransaction) transaction).renew((StoredTransaction) like);
    }

    /// Statistics of the rows.
    public Statistics statistics() {
        return core.statistics();
    }

    /// Reads many rows of `table`, and keeps the statistics.
    ///
    /// @param beside the writing transaction that the caller has open; not an exclusive one
    public TableStatistics analyze(Table table, @Nullable TableTransaction beside) {
        return core.statistics()
                .analyze(table, beside == null ? null : ((StoredTransaction) beside).store());
    }

    /// A file for rows that a query spills; null if there are no files, or none may be written.
    public @Nullable TemporaryFile temporaryFile() {
        return store.temporaryFile();
    }

    /// Figures of the store.
    public StoreStats stats() {
        return store.stats();
    }

    /// Sets a callback for threads that wait for a lock, or work for long; an exception that it throws ends the
    /// wait or the work.
    public void poll(Runnable asked) {
        store.poll(asked);
    }

    /// Makes all threads that wait for a lock run the callback of [#poll(Runnable)] again.
    public void wakeWaiting() {
        store.wakeWaiting();
    }

    /// The waits for locks in the store: each waiter with its holder.
    public List<LockWait> lockWaits() {
        return store.lockWaits();
    }

    /// The table or index whose entries the tree of that name holds; the name itself if there is none.
    public String ownerOf(String tree) {
        for (TableEntry table : core.newestSchema().tables()) {
            if (TableEntry.treeName(table.table().id()).equals(tree)) {
                return table.table().name();
            }
            for (IndexEntry index : table.indexes()) {
                if (IndexEntry.treeName(index.id()).equals(tree)) {
                    return index.definition().name();
                }
            }
        }
        return tree;
    }

    /// Figures of a transaction, for monitoring.
    ///
    /// @param writer its number among the store's writers; 0 if it only reads
    /// @param locks number of locks that it holds
    /// @param writes number of entries, of rows and of indexes, that it has written or removed
    public record TransactionFigures(long writer, long locks, long writes) {}

    /// The figures of `transaction`, from any thread: each as it was a moment ago.
    public static TransactionFigures figures(TableTransaction transaction) {
        Transaction store = ((StoredTransaction) transaction).store();
        return new TransactionFigures(store.writer(), store.locks(), store.writes());
    }

    /// Removes the expired rows of `table` among the next `rowsMax` rows, in key order, from the place of `at`.
    /// Rows that others have locked are passed over.
    ///
    /// @return number of rows removed
    public int sweep(Table table, SweepPlace at, long rowsMax) {
        if (at.isAtBegin()) {
            at.begin(core.expiry(table));
        }
        try (StoredTransaction transaction = (StoredTransaction) beginWrite()) {
            TableEntry entry = transaction.entry(table);
            int removed = entry.expires() ? transaction.sweep(entry).run(rowsMax, at) : 0;
            if (removed > 0) {
                transaction.commit();
            }
            at.committed();
            return removed;
        }
    }

    /// Whether any row of `table` may have expired. If false, no row need be read.
    public boolean mayHaveExpired(Table table) {
        return table.column(Column.Role.EXPIRY) >= 0 && core.expiry(table).micros() <= nowMicros();
    }

    /// Whether rows may have expired that only a [#sweep] finds, since [#sweepDue] does not know them.
    public boolean needsSweep(Table table) {
        return table.column(Column.Role.EXPIRY) >= 0 && core.expiry(table).horizon() <= nowMicros();
    }

    /// Removes up to `rowsMax` of the expired rows that are known by their keys, without reading others. Rows that
    /// others have locked are left to the next call.
    ///
    /// @return number of rows removed
    public int sweepDue(Table table, long rowsMax) {
        ExpiryBound bound = core.expiry(table);
        long now = nowMicros();
        List<byte[]> keys = bound.take(now, rowsMax);
        if (keys.isEmpty()) {
            return 0;
        }
        boolean done = false;
        try (StoredTransaction transaction = (StoredTransaction) beginWrite()) {
            int removed =
                    transaction
                            .sweep(transaction.entry(table))
                            .run(keys, bound, now + RETRY_MICROS);
            if (removed > 0) {
                transaction.commit();
            }
            done = true;
            return removed;
        } finally {
            if (!done) {
                keys.forEach(key -> bound.note(key, Long.MIN_VALUE));
            }
        }
    }

    /// State that a layer above keeps in memory of these tables, made by `load` at the first call. It lives as
    /// long as the tables are open.
    @SuppressWarnings("unchecked") // each name is of one kind of object
    public <T> T attached(String name, Supplier<T> load) {
        synchronized (attachments) {
            Object found = attachments.get(name);
            if (found == null) {
                found = load.get();
                attachments.put(name, found);
            }
            return (T) found;
        }
    }

    /// The store's check, plus: every index holds exactly the entries of its table's rows.
    public List<String> check() {
        return check(Progress.NONE);
    }

    /// [#check()] that reports to `progress`; an exception from it ends the check.
    public List<String> check(Progress progress) {
        CheckProgress steps = new CheckProgress(progress, visits());
        List<String> found = new ArrayList<>(store.check(steps::page));
        try (StoredTransaction transaction = begun(store.beginRead())) {
            Schema schema = transaction.schema();
            for (TableEntry table : schema.tables()) {
                new TableCheck(transaction, table, steps, found).run();
                new ReferenceCheck(transaction.store(), schema, table, steps, found).run();
            }
        }
        return found;
    }

    /// About how many rows and index entries a check visits. Each index is compared both ways.
    private long visits() {
        long visits = 0;
        try (StoredTransaction transaction = begun(store.beginRead())) {
            for (TableEntry table : transaction.schema().tables()) {
                long rows = transaction.store().estimate(table.tree(), new Slice(), null);
                int keys = table.table().constraints().foreignKeys().size();
                visits += rows * (1 + 2L * table.indexes().size() + keys);
            }
        } catch (CorruptionException damaged) {
            return visits; // the check itself reports it
        }
        return visits;
    }

    /// Sets the language of defaults, checks and generated columns. Without it, tables that have any refuse
    /// writes.
    public void expressions(Expressions language) {
        core.expressions(language);
    }

    /// Ends the store with everything in it.
    @Override
    public void close() {
        try {
            Catalog last = catalog();
            core.closeCounters(last);
        } finally {
            store.close();
        }
    }
}
