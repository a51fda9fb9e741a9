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

/// Elements that are rows in ranges of an index of their table, read in batches while they are asked for, so
/// that no cursor stays open between two of them. Before its transaction writes, ranges of an index are read
/// to their ends, so that no element is met again for having been changed; keys never change.
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
    private int at;
    private int want = FIRST;
    private @Nullable E next;
    private @Nullable TableWork watchedBy;
    private boolean closed;

    TableRows(RowGraph graph, ElementTable of, IndexChoice choice, Maker<E> maker) {
        this.graph = graph;
        this.of = of;
        this.place = new IndexPlace(of.table(), choice);
        this.maker = maker;
    }

    @Override
    public boolean hasNext() {
        while (next == null) {
            if (at < batch.size()) {
                next = maker.made(batch.get(at++));
            } else if (closed || place.isDone()) {
                return false;
            } else {
                readOn();
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // the very transaction
    private void readOn() {
        TableWork work = graph.work();
        batch = work.rows(of, place, want);
        at = 0;
        want = Math.min(4 * want, MOST);
        if (!place.isDone() && of.index(place.index()) != null && watchedBy != work) {
            watchedBy = work;
            work.watch(this);
        }
    }

    /// Whether nothing is to be read any more.
    boolean isDone() {
        return closed || place.isDone();
    }

    /// Reads what is left.
    void finish(TableWork work) {
        List<Tuple> all = new ArrayList<>(batch.subList(at, batch.size()));
        while (!place.isDone()) {
            all.addAll(work.rows(of, place, MOST));
        }
        batch = all;
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
