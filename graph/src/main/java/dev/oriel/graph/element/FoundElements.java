package dev.oriel.graph.element;

import dev.oriel.graph.range.IndexPlace;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// Elements of index ranges, in index order, read lazily in batches.
///
/// Belongs to one thread, except [#finish], which is called before a write in the same transaction. The elements
/// that it reads are kept separate until the current batch is used up. The monitor of the [GraphTransaction]
/// guards both the place and the kept elements.
abstract class FoundElements<E extends Element> implements CloseableIterator<E> {
    final StoredGraph graph;
    final IndexPlace place;
    private final SequenceCount sequence = new SequenceCount();
    private @Nullable GraphTransaction watchedBy;
    private long watchedIn;
    private boolean atEnd;

    FoundElements(StoredGraph graph, IndexPlace place) {
        this.graph = graph;
        this.place = place;
    }

    /// Begins early, because other iterators are read first: changes until then must not be met either.
    public final void begin() {
        GraphTransaction work = graph.work();
        try (GraphTransaction.Turn _ = work.turn()) {
            watch(work);
        }
    }

    /// Whether no elements remain to be read.
    final boolean isDone() {
        return atEnd || place.isDone();
    }

    /// Reads the rest of the ranges and keeps it.
    abstract void finish(RangeReads reads);

    /// Takes the elements kept by [#finish]; false if there are none.
    abstract boolean takeKept();

    /// Whether the current batch has another element.
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
                sequence.beginBatch();
                try {
                    if (!takeKept()) {
                        if (isDone()) {
                            return false;
                        }
                        readOn(work.reads());
                    }
                } finally {
                    sequence.endBatch();
                }
                watch(work);
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // compared by identity
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
        int seen = sequence.seen();
        if (!hasRead()) {
            throw SequenceCount.twoThreads();
        }
        E taken = take();
        sequence.check(seen);
        return taken;
    }

    @Override
    public final void close() {
        atEnd = true;
    }
}
