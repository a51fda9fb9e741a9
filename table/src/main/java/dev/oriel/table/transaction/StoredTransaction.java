package dev.oriel.table.transaction;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.KeySearches;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.TriggerCalls;
import dev.oriel.table.Unsettled;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Note;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.View;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.row.RowBytes;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.KeyBounds;
import dev.oriel.table.schema.OwnArrays;
import dev.oriel.table.schema.Schema;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A transaction of the store, with the definitions and the ARRAY indexes of the same snapshot. Its commit
/// publishes its changes of these, in the hook before any reader sees the new trees.
public final class StoredTransaction implements TableTransaction {
    private static final Probe INSERT = Probe.of(TableTransaction.class, "insert");
    private static final Probe UPDATE = Probe.of(TableTransaction.class, "update");
    private static final Probe DELETE = Probe.of(TableTransaction.class, "delete");
    private static final Probe FETCH = Probe.of(TableTransaction.class, "fetch");

    /// Greatest number of bytes of a long row whose memory an ended transaction keeps for the next one.
    static final int KEPT_BYTES_MAX = 64 << 10;

    private final TableCore core;
    private final Transaction store;
    private final Slice fetched = new Slice();
    private Schema schema;
    private SearchPath path = SearchPath.DEFAULT;

    /// Whether this transaction has changed definitions.
    private boolean defined;

    private final OwnArrays arrays;

    /// Working memory for changes, by table, until the end.
    private final Map<TableEntry, TableWriter> writers = new HashMap<>(4);

    private final ExpiryNotes expiring = new ExpiryNotes();
    private final DrawnSequences drawn = new DrawnSequences();
    private final Savepoints moments = new Savepoints(drawn);
    private final ForeignKeys foreignKeys = new ForeignKeys(this);
    private final DefinitionLocks definitions;
    private long changes;

    /// The moment of this snapshot in microseconds, or 0 until a row that can expire is read.
    private long nowMicros;

    private long rowVersion;
    private boolean ended;

    /// Exception that the commit throws instead of committing; null if it commits.
    private @Nullable RuntimeException refusal;

    /// Working memory for counts, made for the first one.
    private @Nullable KeyBounds counted;

    private @Nullable Table lastTable;
    private @Nullable TableEntry lastEntry;

    /// Receiver of inserted rows in a bulk load; else null.
    private @Nullable BulkRows bulk;

    public StoredTransaction(TableCore core, Transaction store, Schema schema) {
        this.core = core;
        this.store = store;
        this.schema = schema;
        this.definitions = new DefinitionLocks(this, store);
        this.arrays = new OwnArrays(store);
        if (store.writable()) {
            store.beforePublish(
                    new Transaction.CommitHook() {
                        @Override
                        public void beforePublish(long txid) {
                            publish(txid);
                        }

                        @Override
                        public void rolledBack() {
                            drawn.release(false);
                        }
                    });
        }
    }

    /// Makes it a bulk load: rows that are inserted from now on go to `rows`.
    public StoredTransaction loading(BulkRows rows) {
        bulk = rows;
        return this;
    }

    /// Puts the inserted rows into the trees before an operation that is to see them.
    private void fillBulk() {
        if (bulk != null) {
            bulk.fill(this);
        }
    }

    /// Definitions are about to change: pending actions on rows still follow the present ones.
    private void finishRows() {
        fillBulk();
        changes++;
        foreignKeys.act();
    }

    /// Begins again, read-only, on the newest committed state.
    public void renew() {
        changes++;
        core.store().renew(store);
        nowMicros = 0;
        ended = false;
        Schema current = core.schemaAt(store.snapshot());
        if (current.version() != schema.version()) {
            schema(current);
        }
    }

    /// Begins again, read-only, on the snapshot of `like`.
    public void renew(StoredTransaction like) {
        changes++;
        core.store().renew(store, like.store);
        if (like.nowMicros == 0) {
            like.nowMicros = core.nowMicros();
        }
        nowMicros = like.nowMicros;
        ended = false;
        if (like.schema.version() != schema.version()) {
            schema(like.schema);
        }
    }

    public Transaction store() {
        return store;
    }

    public TableCore core() {
        return core;
    }

    public DefinitionLocks definitions() {
        return definitions;
    }

    ForeignKeys foreignKeys() {
        return foreignKeys;
    }

    /// Whether it may still change the pages under its cursors.
    boolean isWriting() {
        return !ended && store.writable();
    }

    /// A transaction of the store that commits by itself, whatever becomes of this one.
    Transaction beginAside() {
        return store.writable() ? core.store().beginBeside(store) : core.store().beginWrite();
    }

    /// Sequences it has drawn from as the exclusive transaction.
    DrawnSequences drawn() {
        return drawn;
    }

    /// The ARRAY indexes as it sees them.
    OwnArrays arrays() {
        return arrays;
    }

    public Schema schema() {
        return schema;
    }

    /// Makes `changed` the definitions that this transaction sees and its commit publishes.
    void define(Schema changed) {
        schema(changed);
        defined = true;
    }

    private void schema(Schema changed) {
        schema = changed;
        lastTable = null;
        lastEntry = null;
    }

    @Override
    public long changes() {
        return changes;
    }

    @Override
    public long returns() {
        return moments.returns();
    }

    /// The table that `table` is now.
    @SuppressWarnings("ReferenceEquality") // a shortcut: an equal table is looked up
    public TableEntry entry(Table table) {
        TableEntry entry = lastEntry;
        if (entry == null || table != lastTable) {
            entry = schema.entry(table);
            lastEntry = entry;
            lastTable = table;
        }
        return entry;
    }

    /// Whether `row` counts as absent in this snapshot. All its rows are compared with one moment.
    boolean isExpired(TableEntry of, Row row) {
        if (nowMicros == 0) {
            nowMicros = core.nowMicros();
        }
        return of.isExpired(row, nowMicros);
    }

    /// A version for the row that is about to be written over one of version `before`.
    long takeRowVersion(long before) {
        rowVersion = core.nextRowVersion(before);
        return rowVersion;
    }

    /// The row under `rowKey` was written, and expires at `micros`, or never.
    void wrote(TableEntry of, Slice rowKey, long micros) {
        expiring.add(core, of.table().id(), rowKey, micros);
    }

    /// A sweep of a table that expires.
    public ExpirySweep sweep(TableEntry of) {
        changes++;
        return new ExpirySweep(this, of, writer(of));
    }

    @Override
    public Isolation isolation() {
        return store.isolation();
    }

    @Override
    public void refresh() {
        if (bulk != null) {
            bulk.checkOpen();
        }
        store.refresh();
        moved();
    }

    @Override
    public void restart() {
        store.restart();
        changes++;
        nowMicros = 0;
        defined = false;
        refusal = null;
        adopt();
        moments.clear();
        arrays.restore(Map.of());
        foreignKeys.clear();
    }

    @Override
    public void exclusive() {
        store.exclusive();
        moved();
    }

    @Override
    public void keep(Table table, Transaction.LockMode mode, Transaction.Wait wait) {
        definitions.keep(table, mode, wait);
    }

    @Override
    public void define(List<Table> changed) {
        fillBulk();
        definitions.take(changed);
    }

    /// Takes over the definitions of the snapshot, unless it has changed them itself: tables may have been added.
    private void adopt() {
        if (!defined && schema.version() != core.newestSchema().version()) {
            schema(core.schemaAt(store.snapshot()));
        }
    }

    /// The store's transaction is perhaps on another snapshot now.
    private void moved() {
        changes++;
        if (isolation()
                == Isolation.READ_COMMITTED) { // else the snapshot is the same, and so is its time
            nowMicros = 0;
        }
        adopt();
        arrays.moved();
    }

    @Override
    public Catalog catalog() {
        return schema.catalog().seenBy(path);
    }

    @Override
    public void path(SearchPath of) {
        path = of;
    }

    @Override
    public boolean writable() {
        return store.writable();
    }

    @Override
    public Table create(Table table) {
        finishRows();
        exclusive();
        return new Definitions(this).create(table);
    }

    @Override
    public void drop(Table table) {
        finishRows();
        exclusive();
        new Definitions(this).drop(table);
    }

    @Override
    public Table addColumn(Table table, Column column) {
        finishRows();
        define(List.of(table));
        return new Definitions(this).addColumn(table, column);
    }

    @Override
    public Table createIndex(Table table, Index index, LongConsumer rows) {
        finishRows();
        define(List.of(table));
        return new Definitions(this).createIndex(table, index, rows);
    }

    @Override
    public Table dropIndex(Table table, Index index) {
        finishRows();
        exclusive();
        return new Definitions(this).dropIndex(table, index);
    }

    @Override
    public RowCursor cursor(Table table, @Nullable Index index) {
        fillBulk();
        TableEntry entry = entry(table);
        if (index == null) {
            return new TreeCursor(this, entry, null);
        }
        IndexEntry found = Schema.index(entry, index);
        return found.isArray()
                ? new ArrayCursor(this, entry, found)
                : new TreeCursor(this, entry, found);
    }

    @Override
    public long count(Table table, @Nullable Index index, KeyRange range) {
        fillBulk();
        TableEntry entry = entry(table);
        IndexEntry found = index == null ? null : Schema.index(entry, index);
        if (entry.expires() || (found != null && found.isArray())) {
            return StoredCursor.count(cursor(table, index), this, range);
        }
        KeyBounds bounds = counted;
        if (bounds == null) {
            bounds = new KeyBounds();
            counted = bounds;
        }
        bounds.set(range, entry, found, 0);
        return store.count(
                found == null ? entry.tree() : found.tree(),
                bounds.hasLow() ? bounds.low() : new Slice(),
                bounds.hasHigh() ? bounds.high() : null);
    }

    @Override
    public Table redefine(Table changed, @Nullable Rewrite rewrite) {
        finishRows();
        if (rewrite == null || rewrite.constant()) {
            define(Definitions.withParents(schema, changed));
        } else {
            exclusive();
        }
        return new Definitions(this).redefine(changed, rewrite);
    }

    @Override
    public void truncate(Collection<Table> tables) {
        finishRows();
        exclusive();
        new Definitions(this).truncate(tables);
    }

    @Override
    public View create(View view) {
        define(List.of());
        return new Definitions(this).create(view);
    }

    @Override
    public void drop(View view) {
        define(List.of());
        new Definitions(this).drop(view);
    }

    @Override
    public PropertyGraph create(PropertyGraph graph) {
        define(List.of());
        return new Definitions(this).create(graph);
    }

    @Override
    public void drop(PropertyGraph graph) {
        define(List.of());
        new Definitions(this).drop(graph);
    }

    @Override
    public Sequence create(Sequence sequence) {
        exclusive();
        return new Definitions(this).create(sequence);
    }

    @Override
    public Note create(Note note) {
        define(List.of());
        return new Definitions(this).create(note);
    }

    @Override
    public void drop(Note note) {
        define(List.of());
        new Definitions(this).drop(note);
    }

    @Override
    public void drop(Sequence sequence) {
        exclusive();
        new Definitions(this).drop(sequence);
    }

    @Override
    public long nextValue(Sequence sequence) {
        return core.counter(sequence.id()).next(this, sequence);
    }

    @Override
    public void setValue(Sequence sequence, long value, boolean given) {
        core.counter(sequence.id()).set(this, sequence, value, given);
    }

    @Override
    public void restart(Sequence sequence, long value) {
        exclusive();
        core.counter(sequence.id()).restart(this, sequence, value);
    }

    @Override
    public void passOver(Sequence sequence) {
        core.counter(sequence.id()).passOver(this, sequence);
    }

    @Override
    public void complete(Table table, Tuple values, BitSet given) {
        TableWriter.complete(this, table, values, given);
    }

    @Override
    public void insert(Table table, Row values) {
        insert(table, values, null, fetched);
    }

    @Override
    public boolean insert(Table table, Row values, @Nullable Arbiter arbiter, Slice existing) {
        long entered = INSERT.enter();
        long mark = foreignKeys.mark();
        boolean done = false;
        try {
            if (bulk != null && arbiter == null && !foreignKeys.triggers().keepsFromBulk(table)) {
                bulk.insert(this, writable(table), values);
                done = true;
                return true;
            }
            fillBulk();
            boolean inserted = writer(table).insert(this, values, arbiter, existing);
            done = true;
            return inserted;
        } finally {
            ended(done, mark);
            INSERT.exit(entered);
        }
    }

    private void ended(boolean done, long mark) {
        changes++;
        if (!done) {
            foreignKeys.abandon(mark);
        }
    }

    @Override
    public void insertNew(Table table, Row values) {
        long entered = INSERT.enter();
        try {
            if (bulk != null) {
                bulk.insert(this, foreignKeys.triggers().checked(writable(table)), values);
                return;
            }
            writer(table).insertNew(this, values);
        } finally {
            changes++;
            INSERT.exit(entered);
        }
    }

    @Override
    public boolean hold(Table table, Slice rowKey) {
        fillBulk();
        TableEntry of = entry(table);
        definitions.keep(of, store.patience());
        return store.getLatest(of.tree(), rowKey, fetched);
    }

    @Override
    public boolean update(Table table, Slice rowKey, Row values, boolean patient) {
        long entered = UPDATE.enter();
        long mark = foreignKeys.mark();
        boolean done = false;
        try {
            fillBulk();
            boolean updated = writer(table).update(this, rowKey, values, patient);
            done = true;
            return updated;
        } finally {
            ended(done, mark);
            UPDATE.exit(entered);
        }
    }

    @Override
    public boolean delete(Table table, Slice rowKey) {
        long entered = DELETE.enter();
        long mark = foreignKeys.mark();
        boolean done = false;
        try {
            fillBulk();
            boolean deleted = writer(table).delete(this, rowKey);
            done = true;
            return deleted;
        } finally {
            ended(done, mark);
            DELETE.exit(entered);
        }
    }

    @Override
    public void offered(Table table, Row row) {
        writer(table).offered((StoredRow) row);
    }

    @Override
    public void writtenKey(Table table, Slice out) {
        writer(table).writtenKey(out);
    }

    @Override
    public boolean lock(
            Table table, Slice rowKey, Transaction.LockMode mode, Transaction.Wait wait) {
        fillBulk();
        TableEntry of = entry(table);
        return definitions.keep(of, wait) && store.lock(of.tree(), rowKey, mode, wait);
    }

    @Override
    public Transaction.Wait patience() {
        return store.patience();
    }

    @Override
    public void settle() {
        changes += foreignKeys.hasActions() ? 1 : 0;
        foreignKeys.settle(false);
    }

    @Override
    public void defer(@Nullable Collection<ForeignKey.Of> keys, boolean later) {
        foreignKeys.defer(keys, later);
    }

    private TableWriter writer(Table table) {
        return writer(foreignKeys.triggers().checked(writable(table)));
    }

    private TableEntry writable(Table table) {
        if (!store.writable()) {
            throw new UsageException(
                    "A read-only transaction cannot change rows; begin a writing one",
                    "table=" + table.name());
        }
        if (ended) {
            throw new ClosedException("The transaction has ended", "");
        }
        return entry(table);
    }

    TableWriter writer(TableEntry entry) {
        TableWriter writer = writers.get(entry);
        if (writer == null) {
            definitions.keep(entry, store.patience());
            writer = TableWriter.of(entry, core.expressions());
            writers.put(entry, writer);
        }
        return writer;
    }

    @Override
    public Unsettled unsettled() {
        return foreignKeys;
    }

    @Override
    public long rowVersion() {
        return rowVersion;
    }

    @Override
    public void durability(Durability wanted) {
        store.durability(wanted);
    }

    @Override
    public boolean fetch(Table table, Slice rowKey, Row row) {
        long entered = FETCH.enter();
        try {
            fillBulk();
            if (!store.get(entry(table).tree(), rowKey, fetched)) {
                return false;
            }
            ((StoredRow) row).point(fetched);
            TableEntry of = entry(table);
            return !of.expires() || !isExpired(of, row);
        } finally {
            FETCH.exit(entered);
        }
    }

    @Override
    public RowBytes rowOf(Table table) {
        return entry(table).newRow();
    }

    @Override
    public Transaction.Savepoint savepoint() {
        Transaction.Savepoint savepoint = store.savepoint();
        moments.add(
                new Savepoints.Moment(
                        savepoint,
                        schema,
                        defined,
                        arrays.remembered(),
                        foreignKeys.remembered(),
                        bulk == null ? 0 : bulk.steps()));
        return savepoint;
    }

    @Override
    public void rollbackTo(Transaction.Savepoint savepoint) {
        changes++;
        store.rollbackTo(savepoint);
        Savepoints.Moment moment = moments.backTo(savepoint);
        arrays.restore(moment.arrays());
        foreignKeys.restore(moment.putOff());
        defined = moment.defined();
        // Others may have added definitions between that moment and the present snapshot.
        schema(defined ? moment.schema() : core.schemaAt(store.snapshot()));
        if (bulk != null && bulk.steps() != moment.loaded()) {
            bulk.failedHalfWay();
        }
    }

    @Override
    public void release(Transaction.Savepoint savepoint) {
        store.release(savepoint);
        moments.release(savepoint);
    }

    @Override
    public long pagesRead() {
        return store.pagesRead();
    }

    @Override
    public void tell(@Nullable KeySearches told) {
        foreignKeys.tell(told);
    }

    @Override
    public @Nullable TriggerCalls triggers(@Nullable TriggerCalls calls) {
        return foreignKeys.triggers().replace(calls);
    }

    @Override
    public long writer() {
        return store.writer();
    }

    @Override
    public long lockWaits() {
        return store.lockWaits();
    }

    @Override
    public long lockWaitNanos() {
        return store.lockWaitNanos();
    }

    @Override
    public void onlyRollback(RuntimeException refusal) {
        this.refusal = refusal;
    }

    @Override
    public Transaction.Commit commit() {
        if (refusal != null) {
            throw refusal;
        }
        changes++;
        fillBulk();
        foreignKeys.settle(true);
        drawn.write(store, catalog());
        Transaction.Commit commit = store.commit();
        expiring.tell(core);
        end(schema);
        return commit;
    }

    /// The store calls this inside the commit, when nothing can refuse it.
    private void publish(long txid) {
        arrays.publish(txid, core.oldest());
        if (defined) {
            core.publish(txid, schema);
        }
        drawn.release(true);
    }

    /// @param committed the definitions that hold now; null if nothing was committed
    private void end(@Nullable Schema committed) {
        if (ended) {
            return;
        }
        ended = true;
        writers.values().forEach(TableWriter::giveBack);
        writers.clear();
        foreignKeys.end();
        if (bulk != null) {
            bulk.close();
        }
        definitions.ended(committed);
    }

    @Override
    public void close() {
        changes++;
        store.close();
        fetched.trim(KEPT_BYTES_MAX);
        end(null);
    }
}
