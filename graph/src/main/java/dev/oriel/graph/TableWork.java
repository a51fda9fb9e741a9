package dev.oriel.graph;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.table.KeyRange;
import dev.oriel.table.Row;
import dev.oriel.table.RowCursor;
import dev.oriel.table.RowKey;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import dev.oriel.table.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One transaction of a property graph over tables. It reads a snapshot, and begins to write with the first
/// change; READ COMMITTED, as [GraphWork]. Each change is a statement: it is done with all that foreign keys
/// make of it, or not at all. Belongs to one thread.
final class TableWork {
    private final Tables tables;
    private final String graph;
    private TableTransaction transaction;
    private @Nullable GraphTables known;
    private boolean writing;
    private long moment;

    TableWork(Tables tables, String graph) {
        this.tables = tables;
        this.graph = graph;
        this.transaction = tables.beginRead();
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
            }
        }
    }

    /// Grows with whatever may change what is read.
    long moment() {
        return moment;
    }

    GraphTables graphTables() {
        GraphTables now = known;
        if (now == null || now.version() != transaction.catalog().version()) {
            now = GraphTables.of(transaction.catalog(), graph);
            known = now;
        }
        return now;
    }

    private TableTransaction write() {
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
        Row row = transaction.rowOf(of.table());
        boolean there = transaction.fetch(of.table(), new RowKey(of.table()).of(key), row);
        return there ? of.copy(row) : null;
    }

    boolean exists(ElementTable of, Tuple key) {
        Row row = transaction.rowOf(of.table());
        return transaction.fetch(of.table(), new RowKey(of.table()).of(key), row);
    }

    /// Up to `most` rows in the order of the primary key, after the key `after`, or from the first one.
    List<Tuple> rows(ElementTable of, @Nullable Tuple after, int most) {
        Table table = of.table();
        KeyRange range = new KeyRange(table.primaryKey().size());
        if (after != null) {
            for (int i = 0; i < table.primaryKey().size(); i++) {
                range.lower().copy(i, after, i, of.type(table.primaryKey().get(i)).shape());
            }
            range.from(table.primaryKey().size(), false);
        }
        RowCursor cursor = transaction.cursor(table, null);
        cursor.open(transaction, range, false);
        List<Tuple> rows = new ArrayList<>();
        while (rows.size() < most && cursor.next()) {
            rows.add(of.copy(cursor));
        }
        return rows;
    }

    /// The edges that begin, or end, at the vertex of this key.
    List<Tuple> around(EdgeEnds ends, boolean reverse, Tuple key) {
        EdgeEnds.End end = ends.end(reverse);
        ElementTable of = ends.edges();
        List<Tuple> rows = new ArrayList<>();
        RowCursor cursor = transaction.cursor(of.table(), end.access());
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
        cursor.open(transaction, range, false);
        while (cursor.next()) {
            if (end.indexed() || isAt(of, cursor, end, key)) {
                rows.add(of.copy(cursor));
            }
        }
        return rows;
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

    /// Does `change` as a statement: all of it, with what foreign keys make of it, or nothing.
    private void statement(Consumer<TableTransaction> change) {
        TableTransaction to = write();
        Transaction.Savepoint savepoint = to.savepoint();
        boolean done = false;
        try {
            change.accept(to);
            to.settle();
            done = true;
        } finally {
            if (!done) {
                to.rollbackTo(savepoint);
            }
            to.release(savepoint);
            moment++;
        }
    }

    /// Adds a row; returns it as it was written, with what the table has put into it.
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
        return written[0];
    }

    /// Sees to it that a vertex is there until the end of the transaction.
    boolean hold(ElementTable of, Tuple key) {
        return write().hold(of.table(), new RowKey(of.table()).of(key));
    }

    /// Changes the row of this key; false where it is gone.
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

    /// Removes the row of this key; false where it is gone.
    boolean delete(ElementTable of, Tuple key) {
        boolean[] found = new boolean[1];
        statement(to ->
                again(to, () -> found[0] = to.delete(of.table(), new RowKey(of.table()).of(key))));
        return found[0];
    }

    /// Removes a vertex and all edges around it; false where it is gone.
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

    /// Does `work` again where a row turned out to have been changed by somebody else, whose lock we have
    /// now.
    private void again(TableTransaction to, Runnable work) {
        while (true) {
            try {
                work.run();
                return;
            } catch (ConflictException e) {
                if (e.reason() != ConflictException.Reason.CHANGED) {
                    throw e;
                }
                to.refresh();
                moment++;
            }
        }
    }
}
