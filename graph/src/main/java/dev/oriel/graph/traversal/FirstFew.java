package dev.oriel.graph.traversal;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/// The first elements of an iterator.
final class FirstFew<E> implements CloseableIterator<E> {
    private final Iterator<E> all;
    private long left;

    FirstFew(Iterator<E> all, long most) {
        this.all = all;
        this.left = most;
    }

    @Override
    public boolean hasNext() {
        return left > 0 && all.hasNext();
    }

    @Override
    public E next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        left--;
        return all.next();
    }

    @Override
    public void close() {
        CloseableIterator.closeIterator(all);
    }
}
