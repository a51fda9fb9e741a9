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
import dev.oriel.table.Row;
import dev.oriel.table.RowKey;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import dev.oriel.table.Tuple;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.jspecify.annotations.Nullable;

/// One transaction of a graph: elements as rows, vertices by [VertexWork] and edges by [EdgeWork]. It reads a snapshot, and begins to write with the first
/// change, on what is committed by then; so who only reads holds up nobody.
///
/// The level is READ COMMITTED: where a row that is to be changed has been changed by another transaction
/// meanwhile, the change is made to what that one has left. One that has joined a transaction over several faces
/// has the level of that, reads and writes in it from the beginning, and leaves the end to its owner.
///
/// What it reads it reads in batches, each with a cursor that is opened for it: no cursor stays open
/// between calls. Its calls take turns ([#turn()]), because the threads of a threaded transaction share it, and
/// other faces one that has joined; for the others the lock is free. It is used by one transaction after another; a
/// call after the end of one that threads shared, or that had joined, is refused.
public final class GraphTransaction {
    private static final Logger LOG = System.getLogger("dev.oriel.graph");

    private final GraphCatalog catalog;
    private final Tables tables;

    /// The transaction that it has joined; null for one of its own.
    private final @Nullable Joined joined;

    /// Held during calls, unless it has joined.
    private final ReentrantLock lock = new ReentrantLock();

    private final Turn turn;
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

    /// Number of returns to savepoints that it knows of.
    private long returns;

    private @Nullable VertexAccess[] vertexAccesses = new VertexAccess[4];
    private @Nullable EdgeAccess[] edgeAccesses = new EdgeAccess[4];
    private final RowFiller filler;
    private final VertexWork vertices;
    private final EdgeWork edges;
    private final RangeReads reads = new RangeReads(this);

    /// A call of a transaction, until it is closed.
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    GraphTransaction(GraphCatalog catalog) {
        this(catalog, null, catalog.tables().beginRead());
        reading.close();
    }

    /// @param joined null for transactions of its own
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

    /// One that belongs to `owner`, which sees the tables of the graph. It is not used by another transaction
    /// later.
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

    /// A call begins: it waits until no call of another thread runs. Calls within calls count as one.
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

    /// Does `change` as a whole. Of a transaction of its own whoever meets an error has to roll all of it back;
    /// one that has joined may go on, and undoes what is half done.
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

    /// Forgets what no longer holds since the transaction went back to a savepoint, in whatever face.
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

    /// Begins, with reading.
    ///
    /// @param toBeStrict whether names must be declared before elements have them
    public void begin(boolean toBeStrict) {
        begin(toBeStrict, new AddedRows());
    }

    /// The same behind others, in which somebody may have begun to read who goes on in this one.
    ///
    /// @param addedByAll that all of them were given
    public void begin(boolean toBeStrict, AddedRows addedByAll) {
        try (Turn _ = turn()) {
            strict = toBeStrict;
            tables.renew(reading);
            begun(false, addedByAll);
        }
    }

    /// Begins to read one snapshot.
    public void beginFixed() {
        try (Turn _ = turn()) {
            tables.renew(reading);
            begun(true, new AddedRows());
        }
    }

    /// Begins to read the snapshot of `like`, which ends after it.
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

    /// Other faces of a transaction that it has joined change what is read too.
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

    /// Ends it; one that has joined ends with its owner's transaction, which does that.
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

    /// The transaction to write in, begun where there is none.
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

    /// Whether it may go on to a newer snapshot.
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

    /// The removals of this transaction, to be asked by what it has removed.
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

    /// Something was changed: elements that were read before are read again.
    void changed() {
        moment++;
    }

    /// After a row turned out to have been changed by somebody else, whose lock we have now: sees that
    /// change.
    void refresh(ConflictException conflict) {
        if (conflict.reason() != ConflictException.Reason.CHANGED || !mayMove()) {
            throw conflict;
        }
        refresh();
    }

    /// Sees what is committed by now.
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

    /// The transaction that it reads in, for who reads the tables in other ways.
    public TableTransaction transaction() {
        return transaction;
    }
}
