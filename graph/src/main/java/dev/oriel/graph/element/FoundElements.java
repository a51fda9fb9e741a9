package dev.oriel.graph.element;

import dev.oriel.graph.range.IndexPlace;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// Elements that ranges of an index lead to, in its order, read in batches while they are asked for.
///
/// It belongs to one thread, but for [#finish], which whoever is about to write in the same transaction
/// calls: what that reads is kept apart until the batch at hand is used up. The monitor of the
/// [GraphTransaction] guards both the place and what is kept.
abstract class FoundElements<E extends Element> implements CloseableIterator<E> {
    final StoredGraph graph;
    final IndexPlace place;
    private @Nullable GraphTransaction watchedBy;
    private long watchedIn;
    private boolean atEnd;

    FoundElements(StoredGraph graph, IndexPlace place) {
        this.graph = graph;
        this.place = place;
    }

    /// It will be read behind others, and what is changed until then is not to be met either.
    public final void begin() {
        GraphTransaction work = graph.work();
        try (GraphTransaction.Turn _ = work.turn()) {
            watch(work);
        }
    }

    /// Whether nothing is to be read any more.
    final boolean isDone() {
        return atEnd || place.isDone();
    }

    /// Reads what is left, and keeps it.
    abstract void finish(RangeReads reads);

    /// Takes what [#finish] has kept; false where there is nothing.
    abstract boolean takeKept();

    /// Whether the batch at hand has another element.
    abstract boolean hasRead();

    /// Reads the next batch.
    abstract void readOn(RangeReads reads);

    abstract E take();

    @Override
    public final boolean hasNext() {
        while (!hasRead()) {
            if (atEnd) {
                return false;
            }
            GraphTransaction work = graph.work();
            try (GraphTransaction.Turn _ = work.turn()) {
                if (!takeKept()) {
                    if (isDone()) {
                        return false;
                    }
                    readOn(work.reads());
                }
                watch(work);
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // the very transaction
    private void watch(GraphTransaction work) {
        if (isDone()) {
            atEnd = true;
        } else if (watchedBy != work || watchedIn != work.life()) {
            watchedBy = work;
            watchedIn = work.life();
            work.reads().watch(this);
        }
    }

    @Override
    public final E next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return take();
    }

    @Override
    public final void close() {
        atEnd = true;
    }
}
