package dev.oriel.graph.tables;

import dev.oriel.graph.range.AddedRows;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexPlace;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// Elements of ranges of an index, or of the primary key, read lazily in batches, so that no cursor stays open
/// between two of them.
///
/// Before its transaction writes, index ranges are read to their ends and kept as keys, so that no element is met
/// again after a change. Primary keys never change: their ranges only skip rows that the thread has added
/// meanwhile.
final class TableRows<E extends Element> implements CloseableIterator<E> {
    private static final int FIRST = 16;
    private static final int MOST = 256;

    /// Makes elements of rows; null for a row that is no element.
    interface Maker<E> {
        @Nullable E made(Tuple row);
    }

    private final RowGraph graph;
    private final ElementTable of;
    private final IndexPlace place;
    private final Maker<E> maker;
    private List<Tuple> batch = List.of();

    /// Whether the batch holds keys instead of rows.
    private boolean keys;

    private int at;
    private int want = FIRST;
    private @Nullable E next;
    private @Nullable TableWork readBy;
    private long readAt;

    /// The work that reads the rest of an index's ranges before it writes.
    private @Nullable TableWork watchedBy;

    /// Registration of a primary key's read with [AddedRows], to skip rows added since.
    private AddedRows.@Nullable Reading reading;

    private boolean closed;

    TableRows(RowGraph graph, ElementTable of, IndexChoice choice, Maker<E> maker) {
        this.graph = graph;
        this.of = of;
        this.place = new IndexPlace(of.table(), choice);
        this.maker = maker;
        TableWork work = graph.work();
        if (!place.isDone()) {
            begin(work); // at once, because other ranges may be read first
        }
    }

    /// Registers with `work` as being read.
    @SuppressWarnings("ReferenceEquality") // compared by identity
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

    /// The element of a row, which is looked up again if it may have changed; null if it is gone.
    @SuppressWarnings("ReferenceEquality") // compared by identity
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

    /// Whether no rows remain to be read.
    boolean isDone() {
        return closed || place.isDone();
    }

    /// Reads the rest of the ranges.
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
