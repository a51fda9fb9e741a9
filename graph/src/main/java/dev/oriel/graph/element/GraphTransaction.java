package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.value.Bytes;
import dev.oriel.kv.Joined;
import dev.oriel.store.ConflictException;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.jspecify.annotations.Nullable;

/// One transaction of a graph: elements as rows, vertices by [VertexWork] and edges by [EdgeWork]. It reads a
/// snapshot. The first change begins a write transaction on the newest snapshot; so a reader blocks no other
/// transaction.
///
/// The level is READ COMMITTED: a change to a row that another transaction has changed meanwhile is applied to the
/// row's newest version. A joined transaction over several faces keeps its own level. It is read and written from
/// the beginning, and its owner ends it.
///
/// Reads are done in batches, each with a cursor of its own: no cursor stays open between calls. Calls take turns
/// ([#turn()]), because threads share a threaded transaction and other faces a joined one; otherwise the lock is
/// uncontended. One transaction after another uses this object. A call after the end of a shared or joined
/// transaction is refused.
public final class GraphTransaction {
    private static final Logger LOG = System.getLogger("dev.oriel.graph");

    private final GraphCatalog catalog;
    private final Tables tables;

    /// Joined transaction; null if this has its own.
    private final @Nullable Joined joined;

    /// Lock held during calls, unless this has joined a transaction.
    private final ReentrantLock lock = new ReentrantLock();

    private final Turn turn;
    private final TableTransaction reading;
    private TableTransaction transaction;
    private boolean open;
    private boolean writing;

    /// Whether it reads one snapshot until its end and never writes.
    private boolean fixed;

    /// Whether labels and keys must be declared before their first use.
    private boolean strict;

    /// Catalog version of the snapshot.
    private long definitions;

    /// Counter of events that may change reads: an element read before the last one is read again.
    private long moment;

    /// Number of the current transaction of this reusable object.
    private long life;

    /// Edges of single-time labels added while a reader is at one of their ends. Edges before [#addedBefore] were
    /// added by earlier transactions.
    private AddedRows added = new AddedRows();

    private long addedBefore;

    /// Thread whose transaction uses this object; null if threads share it, and between transactions.
    private volatile @Nullable Thread owner;

    /// Whether a thread has owned it before.
    private boolean wasOwned;

    /// Removals of the transaction; null if there are none.
    private @Nullable Removal removal;

    /// Number of rollbacks to savepoints noticed so far.
    private long returns;

    private @Nullable VertexAccess[] vertexAccesses = new VertexAccess[4];
    private @Nullable EdgeAccess[] edgeAccesses = new EdgeAccess[4];
    private final RowFiller filler;
    private final VertexWork vertices;
    private final EdgeWork edges;
    private final RangeReads reads = new RangeReads(this);

    /// A call of a transaction; closing it ends the call.
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    GraphTransaction(GraphCatalog catalog) {
        this(catalog, null, catalog.tables().beginRead());
        reading.close();
    }

    /// @param joined the joined transaction; null if this has its own
    private GraphTransaction(
            GraphCatalog catalog, @Nullable Joined joined, TableTransaction transaction) {
        this.catalog = catalog;
        this.tables = catalog.tables();
        this.joined = joined;
        this.turn = joined == null ? lock::unlock : joined::exit;
        this.reading = transaction;
        this.transaction = transaction;
        Bytes bag = new Bytes();
        this.filler = new RowFiller(catalog, bag);
        Row idRow = transaction.rowOf(catalog.ids());
        this.vertices = new VertexWork(this, filler, bag, idRow);
        this.edges = new EdgeWork(this, vertices, filler, bag);
    }

    /// Joins the transaction of `owner`, which must see the tables of the graph. The object is not reused by
    /// another transaction.
    public static GraphTransaction joining(GraphCatalog catalog, Joined owner, boolean toBeStrict) {
        owner.enter();
        try {
            TableTransaction rows = owner.rows();
            GraphTransaction work = new GraphTransaction(catalog, owner, rows);
            work.strict = toBeStrict;
            work.begun(false, new AddedRows());
            work.writing = rows.writable();
            work.returns = rows.returns();
            work.filler.use(rows, toBeStrict);
            return work;
        } finally {
            owner.exit();
        }
    }

    /// Begins a call: waits until no other thread has one. Reentrant.
    Turn turn() {
        Joined owner = joined;
        if (owner == null) {
            lock.lock();
        } else {
            owner.enter();
            noteReturns();
        }
        return turn;
    }

    /// Applies `change`. In a transaction of its own, a caller that meets an error must roll back all of it. A
    /// joined transaction undoes the failed change only, and may continue.
    <R extends @Nullable Object> R change(Supplier<R> change) {
        Joined owner = joined;
        if (owner != null) {
            checkOpen();
            return owner.change(change);
        }
        try (Turn _ = turn()) {
            return change.get();
        }
    }

    /// Drops caches that a rollback to a savepoint, in any face, has invalidated.
    private void noteReturns() {
        long now = transaction.returns();
        if (now != returns) {
            returns = now;
            life++;
            moment++;
            undoRemovals();
            vertices.forget();
        }
    }

    private void undoRemovals() {
        Removal removed = removal;
        if (removed != null) {
            removed.undo();
        }
        removal = null;
    }

    /// Begins the transaction for reading.
    ///
    /// @param toBeStrict whether names must be declared before their first use
    public void begin(boolean toBeStrict) {
        begin(toBeStrict, new AddedRows());
    }

    /// Begins the transaction after earlier ones whose readers may continue in it.
    ///
    /// @param addedByAll the added edges, given to all these transactions
    public void begin(boolean toBeStrict, AddedRows addedByAll) {
        try (Turn _ = turn()) {
            strict = toBeStrict;
            tables.renew(reading);
            begun(false, addedByAll);
        }
    }

    /// Begins a read-only transaction on one snapshot.
    public void beginFixed() {
        try (Turn _ = turn()) {
            tables.renew(reading);
            begun(true, new AddedRows());
        }
    }

    /// Begins a read-only transaction on the snapshot of `like`, which must end later.
    public void beginFixed(GraphTransaction like) {
        try (Turn _ = turn();
                Turn _ = like.turn()) {
            tables.renew(reading, like.reading);
            begun(true, new AddedRows());
        }
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

    public boolean isWriting() {
        try (Turn _ = turn()) {
            return writing;
        }
    }

    /// Change counter; in a joined transaction other faces advance it too.
    long moment() {
        return joined == null ? moment : moment + transaction.changes();
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

    /// Makes `thread` the owner; returns whether this is the object's first owner.
    boolean ownedBy(Thread thread) {
        owner = thread;
        boolean first = !wasOwned;
        wasOwned = true;
        return first;
    }

    @Nullable Thread owner() {
        return owner;
    }

    /// Ends the ownership, because the thread's transaction has not begun.
    void disown() {
        owner = null;
    }

    /// Rolls back if the owner's thread has ended; returns whether it has. The object is not reused then, because
    /// elements of that thread may refer to it.
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

    /// Ends the transaction; a joined one is ended by its owner.
    public void end(boolean commit) {
        try (Turn _ = turn()) {
            if (!open) {
                return;
            }
            moment++;
            boolean ended = false;
            try {
                if (commit && writing && joined == null) {
                    transaction.commit();
                }
                ended = true;
            } finally {
                if (ended || !commit) {
                    close(commit);
                }
            }
        }
    }

    private void close(boolean committed) {
        if (!committed) {
            undoRemovals();
        }
        removal = null;
        added.end(committed, addedBefore);
        reads.forget();
        if (joined == null) {
            transaction.close();
            reading.close();
        }
        open = false;
        owner = null;
        writing = false;
        vertices.forget();
    }

    /// The transaction for writes, begun if necessary.
    TableTransaction write() {
        checkOpen();
        if (fixed) {
            throw new UnsupportedOperationException(
                    "A graph that a graph computer reads cannot be changed");
        }
        if (joined != null) {
            noteReturns();
            if (!writing) {
                throw new UsageException(
                        "The transaction was begun for reading only; begin one that writes", "");
            }
            joined.checkMayWrite();
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

    /// The vertices of the transaction.
    public VertexWork vertices() {
        return vertices;
    }

    /// The edges of the transaction.
    public EdgeWork edges() {
        return edges;
    }

    /// The range reads of this transaction.
    public RangeReads reads() {
        return reads;
    }

    /// The write transaction; null before the first change.
    @Nullable TableTransaction own() {
        return writing ? transaction : null;
    }

    /// Moves to a snapshot with the catalog version `version` at least.
    private void see(long version) {
        checkOpen();
        if (version <= (joined == null ? definitions : transaction.catalog().version())) {
            return;
        }
        if (fixed) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "A label was changed after a graph computer had begun to read; run it again",
                    "");
        }
        if (!mayMove()) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "A label was added or changed after the transaction had begun to read; run it"
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

    /// Whether it belongs to a transaction over several faces.
    boolean hasJoined() {
        return joined != null;
    }

    /// Whether it may move to a newer snapshot.
    boolean mayMove() {
        return joined == null
                || (writing
                        && transaction.isolation() == Isolation.READ_COMMITTED
                        && !joined.isWithinStatement());
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

    PropertyKey key(String name) {
        try (Turn _ = turn()) {
            return catalog.key(name, strict, own());
        }
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

    /// The removals of this transaction, for the removed elements to query.
    Removal removal() {
        try (Turn _ = turn()) {
            Removal known = removal;
            if (known == null) {
                known = new Removal();
                removal = known;
            }
            return known;
        }
    }

    /// Notes a change: elements read before are read again.
    void changed() {
        moment++;
    }

    /// Moves to the newest snapshot if `conflict` is another transaction's committed change to a row that is
    /// locked now; else throws `conflict`.
    void refresh(ConflictException conflict) {
        if (conflict.reason() != ConflictException.Reason.CHANGED || !mayMove()) {
            throw conflict;
        }
        refresh();
    }

    /// Moves to the newest snapshot.
    void refresh() {
        if (joined == null) {
            transaction.refresh();
        } else {
            joined.refresh();
        }
        use(transaction);
    }

    /// The variable `name`, or null.
    byte @Nullable [] variable(String name) {
        try (Turn _ = turn()) {
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
    }

    /// Sets or removes the variable `name`.
    void variable(String name, byte @Nullable [] value) {
        change(() -> {
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
            return true;
        });
    }

    /// The underlying transaction, for other ways to read the tables.
    public TableTransaction transaction() {
        return transaction;
    }
}
