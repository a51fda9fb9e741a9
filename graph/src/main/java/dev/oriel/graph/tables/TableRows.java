package dev.oriel.graph.tables;

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
/// is met again for having been changed. Primary keys never change: of these only rows that the transaction has
/// added meanwhile are passed over.
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

    /// Who knows of it, and from which moment on what it adds is not to be met.
    private @Nullable TableWork knownBy;

    private long since;
    private boolean closed;

    TableRows(RowGraph graph, ElementTable of, IndexChoice choice, Maker<E> maker) {
        this.graph = graph;
        this.of = of;
        this.place = new IndexPlace(of.table(), choice);
        this.maker = maker;
        TableWork work = graph.work();
        begin(work, work.moment()); // at once, since it may be read behind others
    }

    private void begin(TableWork work, long moment) {
        if (!place.isDone()) {
            knownBy = work;
            since = moment;
            if (isOfIndex()) {
                work.watch(this);
            } else {
                work.reads(of, this);
            }
        }
    }

    private boolean isOfIndex() {
        return of.index(place.index()) != null;
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

    @SuppressWarnings("ReferenceEquality") // the very transaction
    private void readOn() {
        TableWork work = graph.work();
        if (knownBy != work) {
            begin(work, 0); // younger than this is all that the transaction has added
        }
        batch = work.rows(of, place, want);
        keys = false;
        readBy = work;
        readAt = work.moment();
        at = 0;
        want = Math.min(4 * want, MOST);
        AddedRows added = isOfIndex() ? null : work.added(of);
        if (added != null && !added.isEmpty()) {
            batch.removeIf(row -> added.isSince(of.key(row), since));
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
        batch = List.of();
        at = 0;
    }
}
