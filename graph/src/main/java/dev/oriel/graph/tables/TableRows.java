package dev.oriel.graph.tables;

import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexPlace;
import dev.oriel.table.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// Elements that are rows in ranges of an index of their table, or of its primary key, read in batches while they
/// are asked for, so that no cursor stays open between two of them.
///
/// Before its transaction writes, ranges of an index are read to their ends, and kept as keys, so that no element
/// is met again for having been changed. Primary keys never change: of these only rows that its thread has added
/// meanwhile are passed over.
final class TableRows<E extends Element> implements CloseableIterator<E> {
    private static final int FIRST = 16;
    private static final int MOST = 256;

    /// Makes elements of rows; null of those that are none.
    interface Maker<E> {
        @Nullable E made(Tuple row);
    }

    private final RowGraph graph;
    private final ElementTable of;
    private final IndexPlace place;
    private final Maker<E> maker;
    private List<Tuple> batch = List.of();

    /// Whether the batch has the keys of rows, not rows.
    private boolean keys;

    private int at;
    private int want = FIRST;
    private @Nullable E next;
    private @Nullable TableWork readBy;
    private long readAt;

    /// Of an index: who reads what is left of it before it writes.
    private @Nullable TableWork watchedBy;

    /// Of a primary key: from when on what is added is not to be met.
    private AddedRows.@Nullable Reading reading;

    private boolean closed;

    TableRows(RowGraph graph, ElementTable of, IndexChoice choice, Maker<E> maker) {
        this.graph = graph;
        this.of = of;
        this.place = new IndexPlace(of.table(), choice);
        this.maker = maker;
        TableWork work = graph.work();
        if (!place.isDone()) {
            begin(work); // at once, since it may be read behind others
        }
    }

    /// `work` knows that it is being read.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    private void begin(TableWork work) {
        AddedRows.Reading known = reading;
        if (of.index(place.index()) != null) {
            if (watchedBy != work) {
                watchedBy = work;
                work.watch(this);
            }
        } else if (known == null || !known.isOf(work.added())) {
            reading = work.added().read(of.table().id());
        }
    }

    private void end() {
        AddedRows.Reading known = reading;
        if (known != null) {
            known.end();
        }
    }

    @Override
    public boolean hasNext() {
        while (next == null) {
            if (at < batch.size()) {
                next = made(batch.get(at++));
            } else if (closed || place.isDone()) {
                return false;
            } else {
                readOn();
            }
        }
        return true;
    }

    /// What may have changed since it was read is looked up again; null where it is gone.
    @SuppressWarnings("ReferenceEquality") // the very transaction
    private @Nullable E made(Tuple read) {
        TableWork work = graph.work();
        boolean asRead = !keys && readBy == work && readAt == work.moment();
        Tuple row = asRead ? read : work.row(of, keys ? read : of.key(read));
        return row == null ? null : maker.made(row);
    }

    private void readOn() {
        TableWork work = graph.work();
        begin(work);
        batch = work.rows(of, place, want);
        keys = false;
        readBy = work;
        readAt = work.moment();
        at = 0;
        want = Math.min(4 * want, MOST);
        AddedRows added = work.added();
        AddedRows.Reading known = reading;
        if (known != null && !added.isEmpty()) {
            batch.removeIf(row -> added.isSince(of.rowId(of.key(row)), known.since()));
        }
        if (place.isDone()) {
            end();
        }
    }

    /// Whether nothing is to be read any more.
    boolean isDone() {
        return closed || place.isDone();
    }

    /// Reads what is left.
    void finish(TableWork work) {
        List<Tuple> all = new ArrayList<>();
        for (Tuple each : batch.subList(at, batch.size())) {
            all.add(keys ? each : of.key(each));
        }
        while (!place.isDone()) {
            for (Tuple row : work.rows(of, place, MOST)) {
                all.add(of.key(row));
            }
        }
        batch = all;
        keys = true;
        at = 0;
    }

    @Override
    public E next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        E found = next;
        next = null;
        return found;
    }

    @Override
    public void close() {
        closed = true;
        end();
        batch = List.of();
        at = 0;
    }
}
