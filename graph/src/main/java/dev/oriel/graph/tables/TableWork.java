package dev.oriel.graph.tables;

import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.Removal;
import dev.oriel.graph.memory.WeakList;
import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexPlace;
import dev.oriel.graph.range.ReadCounts;
import dev.oriel.graph.value.ColumnValues;
import dev.oriel.kv.Joined;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.RowKey;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One transaction of a property graph over tables. It reads a snapshot and begins a write transaction with the
/// first change, at READ COMMITTED like [GraphTransaction]. Each change is an atomic statement, including the
/// actions of foreign keys.
///
/// Belongs to one thread. If it has joined a transaction over several faces, it takes turns with them, keeps that
/// transaction's level, and leaves the end to its owner.
public final class TableWork implements ReadCounts {
    private final Tables tables;
    private final String graph;

    /// Joined transaction; null if this has its own.
    private final @Nullable Joined joined;

    private final GraphTransaction.Turn turn;
    private TableTransaction transaction;
    private @Nullable GraphTables known;
    private final WeakList<TableRows<?>> unfinished = new WeakList<>(TableRows::isDone);

    private final AddedRows added;
    private final long addedBefore;
    private Removal removal = new Removal();
    private boolean writing;

    /// Number of rollbacks to savepoints noticed so far.
    private long returns;

    private long moment;
    private long rows;
    private long ranges;

    /// @param added rows that this thread's transactions add to tables while primary key ranges are read
    TableWork(Tables tables, String graph, AddedRows added) {
        this.tables = tables;
        this.graph = graph;
        this.added = added;
        this.addedBefore = added.now();
        this.joined = null;
        this.turn = () -> {};
        this.transaction = tables.beginRead();
    }

    /// Joins the transaction of `owner`, within a call of it.
    TableWork(Joined owner, String graph) {
        this.tables = owner.tables();
        this.graph = graph;
        this.added = new AddedRows();
        this.addedBefore = added.now();
        this.joined = owner;
        this.turn = owner::exit;
        this.transaction = owner.rows();
        this.writing = transaction.writable();
        this.returns = transaction.returns();
    }

    private GraphTransaction.Turn turn() {
        Joined owner = joined;
        if (owner != null) {
            owner.enter();
            noteReturns();
        }
        return turn;
    }

    /// Drops state that a rollback to a savepoint, in any face, has invalidated.
    private void noteReturns() {
        long now = transaction.returns();
        if (now != returns) {
            returns = now;
            removal.undo();
            removal = new Removal();
        }
    }

    /// Called when the joined transaction has ended.
    void ended(boolean committed) {
        added.end(committed, addedBefore);
        if (!committed) {
            removal.undo();
        }
    }

    void end(boolean commit) {
        boolean ended = false;
        try {
            if (commit && writing) {
                transaction.commit();
            }
            ended = true;
        } finally {
            if (ended || !commit) {
                transaction.close();
                added.end(commit, addedBefore);
                if (!commit) {
                    removal.undo();
                }
            }
        }
    }

    /// The removals of this transaction, for the removed elements to query.
    Removal removal() {
        try (GraphTransaction.Turn _ = turn()) {
            return removal;
        }
    }

    /// Counter of events that may change reads.
    long moment() {
        return joined == null ? moment : moment + transaction.changes();
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long ranges() {
        return ranges;
    }

    @Override
    public long pages() {
        return transaction.pagesRead();
    }

    GraphTables graphTables() {
        try (GraphTransaction.Turn _ = turn()) {
            GraphTables now = known;
            if (now == null || now.version() != transaction.catalog().version()) {
                now = GraphTables.of(transaction.catalog(), graph);
                known = now;
            }
            return now;
        }
    }

    private TableTransaction write() {
        if (joined != null && !writing) {
            throw new UsageException(
                    "The transaction was begun for reading only; begin one that writes", "");
        }
        if (joined != null) {
            joined.checkMayWrite();
        }
        if (!unfinished.isEmpty()) {
            unfinished.live().forEach(open -> open.finish(this));
            unfinished.clear();
        }
        if (!writing) {
            TableTransaction begun = tables.beginWrite(Isolation.READ_COMMITTED);
            transaction.close();
            transaction = begun;
            writing = true;
            moment++;
        }
        return transaction;
    }

    /// The row of this key, or null.
    @Nullable Tuple row(ElementTable of, Tuple key) {
        try (GraphTransaction.Turn _ = turn()) {
            Row row = transaction.rowOf(of.table());
            return find(of, key, row) ? of.copy(row) : null;
        }
    }

    boolean exists(ElementTable of, Tuple key) {
        try (GraphTransaction.Turn _ = turn()) {
            return find(of, key, transaction.rowOf(of.table()));
        }
    }

    private boolean find(ElementTable of, Tuple key, Row row) {
        boolean found = transaction.fetch(of.table(), new RowKey(of.table()).of(key), row);
        ranges++;
        rows += found ? 1 : 0;
        return found;
    }

    /// Up to `most` of the next rows at `place`.
    List<Tuple> rows(ElementTable of, IndexPlace place, int most) {
        try (GraphTransaction.Turn _ = turn()) {
            RowCursor cursor = transaction.cursor(of.table(), of.index(place.index()));
            List<Tuple> found = new ArrayList<>();
            while (!place.isDone()) {
                cursor.open(transaction, place.range(), place.descending());
                ranges++;
                while (cursor.next()) {
                    rows++;
                    found.add(of.copy(cursor));
                    if (found.size() == most) {
                        place.passed(cursor);
                        cursor.leave();
                        return found;
                    }
                }
                place.nextRange();
            }
            return found;
        }
    }

    /// Number of rows in the ranges of `choice`.
    public long count(ElementTable of, IndexChoice choice) {
        try (GraphTransaction.Turn _ = turn()) {
            long count = 0;
            for (KeyRange range : choice.ranges()) {
                ranges++;
                count += transaction.count(of.table(), of.index(choice.index()), range);
            }
            return count;
        }
    }

    /// Registers an unfinished index range: it must be read to its end before this transaction writes.
    void watch(TableRows<?> range) {
        unfinished.add(range);
    }

    /// The rows added to tables whose primary key ranges are being read.
    AddedRows added() {
        return added;
    }

    /// Number of edges that begin, or end if `reverse`, at the vertex with this key.
    public long degree(EdgeEnds ends, boolean reverse, Tuple key) {
        try (GraphTransaction.Turn _ = turn()) {
            EdgeEnds.End near = ends.end(reverse);
            if (near.indexed() && ends.leads(!reverse)) {
                ranges++;
                return transaction.count(
                        ends.edges().table(), near.access(), range(ends.edges(), near, key));
            }
            long[] count = new long[1];
            neighbours(ends, reverse, key, _ -> count[0]++);
            return count[0];
        }
    }

    /// Passes the keys of the vertices at the far ends of a vertex's edges to `each`; the tuple is reused.
    public void neighbours(EdgeEnds ends, boolean reverse, Tuple key, Consumer<Tuple> each) {
        try (GraphTransaction.Turn _ = turn()) {
            EdgeEnds.End near = ends.end(reverse);
            EdgeEnds.End far = ends.end(!reverse);
            ElementTable of = ends.edges();
            Tuple end = new Tuple(far.columns().size());
            RowCursor cursor = transaction.cursor(of.table(), near.access());
            cursor.open(transaction, range(of, near, key), false);
            ranges++;
            while (cursor.next()) {
                rows++;
                if ((near.indexed() || isAt(of, cursor, near, key))
                        && pick(of, cursor, far, end)
                        && (far.sure() || exists(far.vertices(), end))) {
                    each.accept(end);
                }
            }
        }
    }

    /// Copies the values of an end; false if one is NULL.
    private static boolean pick(ElementTable of, Row row, EdgeEnds.End end, Tuple into) {
        for (int i = 0; i < end.columns().size(); i++) {
            int column = end.columns().get(i);
            into.copy(i, row, column, of.type(column).shape());
            if (into.isNull(i)) {
                return false;
            }
        }
        return true;
    }

    /// The range of a vertex's edges in the end's access path; all rows if there is none.
    private static KeyRange range(ElementTable of, EdgeEnds.End end, Tuple key) {
        int columns =
                end.access() == null
                        ? of.table().primaryKey().size()
                        : end.access().columns().size();
        KeyRange range = new KeyRange(columns);
        if (end.indexed()) {
            List<Integer> order = end.accessColumns(of.table());
            for (int i = 0; i < order.size(); i++) {
                int place = end.columns().indexOf(order.get(i));
                range.lower().copy(i, key, place, of.type(order.get(i)).shape());
                range.upper().copy(i, key, place, of.type(order.get(i)).shape());
            }
            range.from(order.size(), true);
            range.to(order.size(), true);
        }
        return range;
    }

    /// The edges that begin, or end if `reverse`, at the vertex with this key.
    List<Tuple> around(EdgeEnds ends, boolean reverse, Tuple key) {
        try (GraphTransaction.Turn _ = turn()) {
            EdgeEnds.End end = ends.end(reverse);
            ElementTable of = ends.edges();
            List<Tuple> found = new ArrayList<>();
            RowCursor cursor = transaction.cursor(of.table(), end.access());
            cursor.open(transaction, range(of, end, key), false);
            ranges++;
            while (cursor.next()) {
                rows++;
                if (end.indexed() || isAt(of, cursor, end, key)) {
                    found.add(of.copy(cursor));
                }
            }
            return found;
        }
    }

    private static boolean isAt(ElementTable of, Row row, EdgeEnds.End end, Tuple key) {
        for (int i = 0; i < end.columns().size(); i++) {
            int column = end.columns().get(i);
            Object value = of.value(row, column);
            Object wanted = ColumnValues.take(key, i, of.type(column));
            if (value == null
                    || wanted == null
                    || !ColumnValues.print(value).equals(ColumnValues.print(wanted))) {
                return false;
            }
        }
        return true;
    }

    /// Applies `change` as an atomic statement, including the actions of foreign keys.
    private void statement(Consumer<TableTransaction> change) {
        Joined owner = joined;
        if (owner != null) {
            owner.change(() -> {
                noteReturns();
                TableTransaction to = write();
                change.accept(to);
                again(to, to::settle);
                return true;
            });
            return;
        }
        TableTransaction to = write();
        Transaction.Savepoint savepoint = to.savepoint();
        boolean done = false;
        try {
            change.accept(to);
            again(to, to::settle);
            done = true;
        } finally {
            if (!done) {
                to.rollbackTo(savepoint);
            }
            to.release(savepoint);
            moment++;
        }
    }

    /// Adds a row; returns it as written, including defaults and computed values.
    ///
    /// @param given columns that have a value in `row`
    Tuple insert(ElementTable of, Tuple row, BitSet given) {
        Tuple[] written = new Tuple[1];
        statement(to -> {
            to.complete(of.table(), row, given);
            to.insert(of.table(), row);
            Slice key = new Slice();
            to.writtenKey(of.table(), key);
            Row stored = to.rowOf(of.table());
            if (!to.fetch(of.table(), Slice.copyOf(key.toBytes()), stored)) {
                throw new IllegalStateException("a row that was added is not there");
            }
            written[0] = of.copy(stored);
        });
        if (added.isRead(of.table().id())) {
            added.add(of.rowId(of.key(written[0])));
        }
        return written[0];
    }

    /// Ensures that a vertex exists until the end of the transaction.
    boolean hold(ElementTable of, Tuple key) {
        try (GraphTransaction.Turn _ = turn()) {
            return write().hold(of.table(), new RowKey(of.table()).of(key));
        }
    }

    /// Changes the row with this key; false if it is gone.
    boolean update(ElementTable of, Tuple key, Consumer<Tuple> change) {
        boolean[] found = new boolean[1];
        statement(to ->
                again(
                        to,
                        () -> {
                            Tuple row = row(of, key);
                            found[0] = row != null;
                            if (row != null) {
                                change.accept(row);
                                to.update(of.table(), new RowKey(of.table()).of(key), row);
                            }
                        }));
        return found[0];
    }

    /// Removes the row with this key; false if it is gone.
    boolean delete(ElementTable of, Tuple key) {
        boolean[] found = new boolean[1];
        statement(to ->
                again(to, () -> found[0] = to.delete(of.table(), new RowKey(of.table()).of(key))));
        return found[0];
    }

    /// Removes a vertex and all edges around it; false if it is gone.
    boolean deleteVertex(ElementTable of, Tuple key) {
        boolean[] found = new boolean[1];
        statement(to -> {
            for (EdgeEnds ends : graphTables().edges().values()) {
                for (boolean reverse : new boolean[] {false, true}) {
                    if (ends.end(reverse).vertices().table().id() == of.table().id()) {
                        for (Tuple row : around(ends, reverse, key)) {
                            Table table = ends.edges().table();
                            Tuple edge = ends.edges().key(row);
                            again(to, () -> to.delete(table, new RowKey(table).of(edge)));
                        }
                    }
                }
            }
            again(to, () -> found[0] = to.delete(of.table(), new RowKey(of.table()).of(key)));
        });
        return found[0];
    }

    /// Runs `work`, and retries after a conflict with another transaction's change to a row that is now locked.
    private void again(TableTransaction to, Runnable work) {
        while (true) {
            try {
                work.run();
                return;
            } catch (ConflictException e) {
                if (e.reason() != ConflictException.Reason.CHANGED
                        || to.isolation() != Isolation.READ_COMMITTED) {
                    throw e;
                }
                if (joined == null) {
                    to.refresh();
                } else {
                    joined.refresh();
                }
                moment++;
            }
        }
    }
}
