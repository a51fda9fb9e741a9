package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.value.Bytes;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.table.Row;
import dev.oriel.table.RowKey;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import dev.oriel.table.Tuple;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.jspecify.annotations.Nullable;

/// One transaction of a graph: elements as rows, vertices by [VertexWork] and edges by [EdgeWork]. It reads a snapshot, and begins to write with the first
/// change, on what is committed by then; so who only reads holds up nobody.
///
/// The level is READ COMMITTED: where a row that is to be changed has been changed by another transaction
/// meanwhile, the change is made to what that one has left.
///
/// What it reads it reads in batches, each with a cursor that is opened for it: no cursor stays open
/// between calls. Its methods are synchronized, because the threads of a threaded transaction share it;
/// for the others the monitor is free. It is used by one transaction after another; a
/// call after the end of one that threads shared is refused.
public final class GraphTransaction {
    private static final Logger LOG = System.getLogger("dev.oriel.graph");

    private final GraphCatalog catalog;
    private final Tables tables;
    private final TableTransaction reading;
    private TableTransaction transaction;
    private boolean open;
    private boolean writing;

    /// Whether it reads one snapshot to its end, and writes nothing.
    private boolean fixed;

    /// Whether labels and keys must be there before elements have them.
    private boolean strict;

    /// The version of the definitions that it sees.
    private long definitions;

    /// Grows with whatever may change what is read: an element that was read before is read again.
    private long moment;

    /// Number of this transaction among those that used this object.
    private long life;

    /// Edges of single-time labels that are added while somebody reads at one of their ends; before this one
    /// [#addedBefore].
    private AddedRows added = new AddedRows();

    private long addedBefore;

    /// The thread whose transaction uses it; null if threads share it, and between transactions.
    private volatile @Nullable Thread owner;

    /// Whether it was a thread's before.
    private boolean wasOwned;

    /// What it has removed, or null for nothing.
    private @Nullable Removal removal;

    private @Nullable VertexAccess[] vertexAccesses = new VertexAccess[4];
    private @Nullable EdgeAccess[] edgeAccesses = new EdgeAccess[4];
    private final RowFiller filler;
    private final VertexWork vertices;
    private final EdgeWork edges;
    private final RangeReads reads = new RangeReads(this);

    GraphTransaction(GraphCatalog catalog) {
        this.catalog = catalog;
        this.tables = catalog.tables();
        this.reading = tables.beginRead();
        this.transaction = reading;
        Bytes bag = new Bytes();
        this.filler = new RowFiller(catalog, bag);
        Row idRow = reading.rowOf(catalog.ids());
        this.vertices = new VertexWork(this, filler, bag, idRow);
        this.edges = new EdgeWork(this, vertices, filler, bag);
        reading.close();
    }

    /// Begins, with reading.
    ///
    /// @param toBeStrict whether names must be declared before elements have them
    public synchronized void begin(boolean toBeStrict) {
        begin(toBeStrict, new AddedRows());
    }

    /// The same behind others, in which somebody may have begun to read who goes on in this one.
    ///
    /// @param addedByAll that all of them were given
    public synchronized void begin(boolean toBeStrict, AddedRows addedByAll) {
        strict = toBeStrict;
        tables.renew(reading);
        begun(false, addedByAll);
    }

    /// Begins to read one snapshot.
    public synchronized void beginFixed() {
        tables.renew(reading);
        begun(true, new AddedRows());
    }

    /// Begins to read the snapshot of `like`, which ends after it.
    public synchronized void beginFixed(GraphTransaction like) {
        synchronized (like) {
            tables.renew(reading, like.reading);
        }
        begun(true, new AddedRows());
    }

    private void begun(boolean toBeFixed, AddedRows toBeAdded) {
        added = toBeAdded;
        addedBefore = toBeAdded.now();
        use(reading);
        open = true;
        writing = false;
        fixed = toBeFixed;
        life++;
    }

    private void use(TableTransaction other) {
        transaction = other;
        definitions = other.catalog().version();
        moment++;
    }

    boolean isOpen() {
        return open;
    }

    /// Whether it never writes.
    boolean isFixed() {
        return fixed;
    }

    public synchronized boolean isWriting() {
        return writing;
    }

    long moment() {
        return moment;
    }

    AddedRows added() {
        return added;
    }

    long life() {
        return life;
    }

    public GraphCatalog catalog() {
        return catalog;
    }

    /// It is used by a transaction of `thread`; returns whether for the first time.
    boolean ownedBy(Thread thread) {
        owner = thread;
        boolean first = !wasOwned;
        wasOwned = true;
        return first;
    }

    @Nullable Thread owner() {
        return owner;
    }

    /// Its thread's transaction has not begun.
    void disown() {
        owner = null;
    }

    /// Rolls back if its thread has ended; returns whether it has. It is not used again then: elements of that
    /// thread may know it.
    boolean endAbandoned() {
        Thread of = owner;
        if (of == null || of.isAlive()) {
            return false;
        }
        try {
            end(false);
        } catch (DatabaseException e) {
            LOG.log(
                    Level.WARNING,
                    "The transaction of a thread that has ended was not rolled back",
                    e);
        }
        return true;
    }

    private void checkOpen() {
        if (!open) {
            throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
        }
    }

    /// Ends it.
    public synchronized void end(boolean commit) {
        if (!open) {
            return;
        }
        moment++;
        boolean ended = false;
        try {
            if (commit && writing) {
                transaction.commit();
            }
            ended = true;
        } finally {
            if (ended || !commit) {
                close(commit);
            }
        }
    }

    private void close(boolean committed) {
        Removal removed = removal;
        if (removed != null && !committed) {
            removed.undo();
        }
        removal = null;
        added.end(committed, addedBefore);
        reads.forget();
        transaction.close();
        reading.close();
        open = false;
        owner = null;
        writing = false;
        vertices.forget();
    }

    /// The transaction to write in, begun where there is none.
    TableTransaction write() {
        checkOpen();
        if (fixed) {
            throw new UnsupportedOperationException("What a graph computer reads is not changed");
        }
        reads.finish();
        if (!writing) {
            TableTransaction begun = tables.beginWrite(Isolation.READ_COMMITTED);
            reading.close();
            use(begun);
            filler.use(begun, strict);
            writing = true;
        }
        return transaction;
    }

    /// Its vertices.
    public VertexWork vertices() {
        return vertices;
    }

    /// Its edges.
    public EdgeWork edges() {
        return edges;
    }

    /// Reads ranges in this transaction.
    public RangeReads reads() {
        return reads;
    }

    /// The writing transaction of this work, if it has one.
    @Nullable TableTransaction own() {
        return writing ? transaction : null;
    }

    /// Goes on to a snapshot that sees definitions of `version`.
    private void see(long version) {
        checkOpen();
        if (version > definitions) {
            if (fixed) {
                throw new ConflictException(
                        ConflictException.Reason.CHANGED,
                        "A label was changed after a graph computer had begun to read; run it"
                                + " again",
                        "");
            }
            if (writing) {
                refresh();
            } else {
                reading.close();
                tables.renew(reading);
                use(reading);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // another definition is another object
    VertexAccess access(VertexLabel label) {
        see(label.version());
        if (label.number() >= vertexAccesses.length) {
            vertexAccesses = Arrays.copyOf(vertexAccesses, 2 * label.number());
        }
        VertexAccess access = vertexAccesses[label.number()];
        if (access == null || access.label.table() != label.table()) {
            access = new VertexAccess(label, transaction);
            vertexAccesses[label.number()] = access;
        }
        return access;
    }

    @SuppressWarnings("ReferenceEquality") // another definition is another object
    EdgeAccess access(EdgeLabel label) {
        see(label.version());
        if (label.number() >= edgeAccesses.length) {
            edgeAccesses = Arrays.copyOf(edgeAccesses, 2 * label.number());
        }
        EdgeAccess access = edgeAccesses[label.number()];
        if (access == null || access.label.table() != label.table()) {
            access = new EdgeAccess(label, transaction);
            edgeAccesses[label.number()] = access;
        }
        return access;
    }

    synchronized PropertyKey key(String name) {
        return catalog.key(name, strict, own());
    }

    /// The label `name`, for an element that is added to it.
    VertexLabel vertexLabel(String name, TableTransaction to) {
        if (strict && !catalog.vertexLabels().byName().containsKey(name)) {
            throw GraphCatalog.undeclared("vertex label", name);
        }
        return catalog.vertexLabel(name, to);
    }

    /// The label `name`, for an element that is added to it.
    EdgeLabel edgeLabel(String name, TableTransaction to) {
        if (strict && !catalog.edgeLabels().byName().containsKey(name)) {
            throw GraphCatalog.undeclared("edge label", name);
        }
        return catalog.edgeLabel(name, to);
    }

    /// The removals of this transaction, to be asked by what it has removed.
    synchronized Removal removal() {
        Removal known = removal;
        if (known == null) {
            known = new Removal();
            removal = known;
        }
        return known;
    }

    /// Something was changed: elements that were read before are read again.
    void changed() {
        moment++;
    }

    /// After a row turned out to have been changed by somebody else, whose lock we have now: sees that
    /// change.
    void refresh(ConflictException conflict) {
        if (conflict.reason() != ConflictException.Reason.CHANGED) {
            throw conflict;
        }
        refresh();
    }

    /// Sees what is committed by now.
    void refresh() {
        transaction.refresh();
        use(transaction);
    }

    /// The variable `name`, or null.
    synchronized byte @Nullable [] variable(String name) {
        checkOpen();
        Tuple key = new Tuple(1);
        key.setText(0, name);
        Row row = transaction.rowOf(catalog.variables());
        vertices.leave();
        boolean found =
                transaction.fetch(
                        catalog.variables(), new RowKey(catalog.variables()).of(key), row);
        return found ? row.bytesAt(1) : null;
    }

    /// Sets or removes the variable `name`.
    synchronized void variable(String name, byte @Nullable [] value) {
        Tuple row = new Tuple(2);
        row.setText(0, name);
        row.setBytes(1, value);
        Slice key = new RowKey(catalog.variables()).of(row);
        if (value == null) {
            write().delete(catalog.variables(), key);
        } else if (!write().update(catalog.variables(), key, row)) {
            transaction.insert(catalog.variables(), row);
        }
        moment++;
    }

    /// The transaction that it reads in, for who reads the tables in other ways.
    public TableTransaction transaction() {
        return transaction;
    }
}
