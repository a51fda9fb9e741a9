package dev.oriel.graph.load;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.GraphTransactions;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.BytesMap;
import dev.oriel.store.BulkOptions;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Table;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/// One load: a bulk transaction for writes, and concurrently a read transaction on the graph before the load,
/// which no other transaction changes meanwhile.
///
/// Numbers of elements are taken from the sequences without a reservation; the positions of the sequences commit
/// with the rows.
final class LoadRun implements Closeable {
    private static final long IDLE_MILLIS_MAX = 600_000;
    private static final long SORT_BYTES_MIN = 1 << 20;
    private static final long SORT_BYTES_MAX = 512 << 20;
    private static final int ROWS_A_REPORT = 1 << 13;

    private final GraphCatalog catalog;
    private final CsvLoad.Limits limits;
    private final LoadProgress progress;
    private final long bytesTotal;
    private final Budget budget;
    private final LoadedIds vertices;
    private final Rejects rejects;
    private final GraphTransactions works;
    private final GraphTransaction before;
    private final Set<VertexLabel> usedVertexLabels = new LinkedHashSet<>();
    private final Set<EdgeLabel> usedEdgeLabels = new LinkedHashSet<>();
    private @Nullable TableTransaction transaction;
    private @Nullable BytesMap edgeIds;

    /// First sequence position of this load, by number of a vertex label.
    private long[] firstOwn = {};

    private long[] firstHidden = {};
    private final Tuple idRow = new Tuple(2);
    private final ObjLongConsumer<VertexLabel> skip = this::skip;
    private boolean hasIds;
    private boolean hasEdgeIds;
    private long uncommitted;
    private long bytesBefore;
    private @Nullable Path toldFile;
    private long toldRows;
    private long toldBytes;

    LoadRun(GraphCatalog catalog, CsvLoad.Limits limits, LoadProgress progress, long bytesTotal)
            throws IOException {
        this.catalog = catalog;
        this.limits = limits;
        this.progress = progress;
        this.bytesTotal = bytesTotal;
        this.budget = new Budget("A load of CSV files", limits.memoryBytesMax());
        this.vertices = new LoadedIds(budget);
        this.rejects = new Rejects(limits.rejects(), limits.rejectsMax());
        this.works = GraphTransactions.of(catalog);
        this.before = works.take();
    }

    /// Ends this thread's transaction, which must be read-only.
    ///
    /// @throws IllegalStateException if it has written
    static void checkIdle(StoredGraph graph) {
        if (graph.tx().isOpen()) {
            if (graph.work().isWriting()) {
                throw new IllegalStateException(
                        "The transaction of this thread has changed the graph; commit it or roll it back"
                                + " before a load");
            }
            graph.tx().rollback();
        }
    }

    LoadResult load(List<LoadFile> files) throws IOException {
        long[] loaded = new long[2];
        begin();
        for (LoadFile file : files) {
            RowTarget target =
                    file.input().ofEdges() ? new EdgeRows(this, file) : new VertexRows(this, file);
            loaded[file.input().ofEdges() ? 1 : 0] += load(file, target);
        }
        commit();
        return new LoadResult(loaded[0], loaded[1], rejects.count());
    }

    /// Loads the records of a file.
    interface RowTarget {
        /// Writes the current record of `in`.
        void load(CsvSource in) throws RejectedRow;
    }

    private long load(LoadFile file, RowTarget target) throws IOException {
        long rows = 0;
        long loaded = 0;
        try (CsvSource in = file.open()) {
            boolean header = true;
            boolean more = true;
            while (more) {
                try {
                    more = in.next();
                    if (more && !header) {
                        checkWidth(file, in);
                        target.load(in);
                        loaded++;
                        took();
                    }
                } catch (RejectedRow e) {
                    rejects.add(file.input().file(), in, e.reason());
                } catch (ConstraintException e) {
                    if (e.kind() == ConstraintException.Kind.DUPLICATE_KEY) {
                        throw e; // caused by an earlier row: the load cannot continue
                    }
                    rejects.add(file.input().file(), in, String.valueOf(e.getMessage()));
                }
                header = false;
                if (++rows % ROWS_A_REPORT == 0) {
                    tell(file.input().file(), rows, bytesBefore + in.bytesRead());
                }
            }
            bytesBefore += in.bytesRead();
            tell(file.input().file(), rows, bytesBefore);
        }
        return loaded;
    }

    /// Repeats the last progress: the callback may end the load also while trees are filled.
    private void tellAgain() {
        Path file = toldFile;
        if (file != null) {
            progress.at(file, toldRows, toldBytes, bytesTotal);
        }
    }

    private void tell(Path file, long rows, long bytes) {
        toldFile = file;
        toldRows = rows;
        toldBytes = bytes;
        progress.at(file, rows, bytes, bytesTotal);
    }

    private static void checkWidth(LoadFile file, CsvSource in) throws RejectedRow {
        int wanted = file.header().columns().size();
        if (in.count() != wanted) {
            throw new RejectedRow(
                    "the row has %d fields, and the header %d".formatted(in.count(), wanted));
        }
    }

    private void took() {
        uncommitted++;
        if (uncommitted >= limits.commitRows()) {
            commit();
            begin();
        }
    }

    /// Begins a transaction.
    void begin() {
        long sortBytes =
                Math.clamp(Runtime.getRuntime().maxMemory() / 4, SORT_BYTES_MIN, SORT_BYTES_MAX);
        BulkOptions options =
                BulkOptions.defaults()
                        .withIdleMillisMax(IDLE_MILLIS_MAX)
                        .withSortBytesMax(sortBytes)
                        .withWhileFilling(this::tellAgain);
        transaction = catalog.tables().beginBulk(options);
        before.begin(true);
        if (firstOwn.length == 0) {
            noteFirst();
        }
        hasIds = hasRows(catalog.ids());
        hasEdgeIds = hasRows(catalog.edgeIds());
        uncommitted = 0;
    }

    private void noteFirst() {
        @Nullable VertexLabel[] all = catalog.vertexLabels().all();
        firstOwn = new long[all.length];
        firstHidden = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            VertexLabel label = all[i];
            firstOwn[i] = label == null ? 0 : label.sequence().next();
            firstHidden[i] = label == null ? 0 : label.hidden().next();
        }
    }

    private boolean hasRows(Table table) {
        RowCursor cursor = before.transaction().cursor(table, null);
        cursor.open(before.transaction(), new KeyRange(table.primaryKey().size()), false);
        return cursor.next();
    }

    /// Commits the added rows.
    void commit() {
        TableTransaction open = transaction();
        List<Runnable> kept = new ArrayList<>();
        usedVertexLabels.forEach(label -> kept.add(catalog.keep(open, label)));
        usedEdgeLabels.forEach(label -> kept.add(catalog.keep(open, label)));
        open.commit();
        kept.forEach(Runnable::run);
        open.close();
        transaction = null;
        before.end(false);
    }

    GraphCatalog catalog() {
        return catalog;
    }

    Budget budget() {
        return budget;
    }

    LoadedIds vertices() {
        return vertices;
    }

    TableTransaction transaction() {
        TableTransaction open = transaction;
        if (open == null) {
            throw new IllegalStateException("no transaction");
        }
        return open;
    }

    /// Notes that numbers of `label` are taken.
    void use(VertexLabel label) {
        usedVertexLabels.add(label);
    }

    /// Notes that numbers of `label` are taken.
    void use(EdgeLabel label) {
        usedEdgeLabels.add(label);
    }

    /// Adds a vertex.
    ///
    /// @param idKey the bytes of its id, or null
    void insert(VertexLabel label, Tuple row, byte @Nullable [] idKey, long vertex) {
        transaction().insert(label.table(), row);
        if (idKey != null) {
            idRow.setBytes(0, idKey);
            idRow.setLong(1, vertex);
            transaction().insert(catalog.ids(), idRow);
        }
    }

    /// Whether a vertex of the graph before the load has or had this id, or may be allotted it.
    boolean isTaken(Object id) {
        if (id instanceof Number given) {
            long number = given.longValue();
            catalog.given(number);
            if (before.vertices().isAllotted(number, skip)) {
                return true;
            }
        }
        return hasIds && before.vertices().isKept(id);
    }

    private void skip(VertexLabel label, long least) {
        label.sequence().pass(least);
        use(label);
    }

    /// The vertex that the id in a field refers to, from this load or the graph before it; 0 if there is none.
    long resolve(CsvSource in, int field) throws RejectedRow {
        long loaded = vertices.get(in, field);
        return loaded != 0
                ? loaded
                : resolve(in.isWhole(field) ? (Object) in.whole(field) : in.text(field));
    }

    /// The vertex with this id in the graph before the load, or 0.
    long resolve(Object id) {
        return before.vertices().resolve(id);
    }

    /// The expiry of a vertex; for one of this load, as if it were added now.
    long expiry(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        if (label == null || !label.columns().expires()) {
            return Long.MAX_VALUE;
        }
        return isLoaded(vertex)
                ? catalog.tables().nowMicros() + label.rules().ttlMillis() * 1_000
                : before.vertices().expiry(vertex);
    }

    /// Whether a vertex has this number, in this load or the graph before it.
    boolean exists(long vertex) {
        return isLoaded(vertex) || before.vertices().exists(vertex);
    }

    private boolean isLoaded(long vertex) {
        VertexLabel label = catalog.labelOf(vertex);
        if (label == null || label.number() >= firstOwn.length) {
            return false;
        }
        boolean hidden = VertexLabel.isHidden(vertex);
        long number = VertexLabel.inSequence(vertex);
        long first = (hidden ? firstHidden : firstOwn)[label.number()];
        return number >= first && number < (hidden ? label.hidden() : label.sequence()).next();
    }

    /// The edge ids of this load, from all its files.
    BytesMap edgeIds() {
        BytesMap known = edgeIds;
        if (known == null) {
            known = new BytesMap(budget);
            edgeIds = known;
        }
        return known;
    }

    /// Whether an edge of the graph before the load has or had this id.
    boolean hasEdge(Object id) {
        return hasEdgeIds && before.edges().isKept(id);
    }

    /// Whether the graph before the load has the row `key` in `table`.
    boolean hasRow(Table table, Slice key) {
        Row row = before.transaction().rowOf(table);
        return before.transaction().fetch(table, key, row);
    }

    @Override
    public void close() throws IOException {
        TableTransaction open = transaction;
        if (open != null) {
            open.close();
        }
        before.end(false);
        works.giveBack(before);
        rejects.close();
    }
}
