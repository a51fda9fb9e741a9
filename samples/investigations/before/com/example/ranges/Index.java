package com.example.ranges;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Rows in the order of their keys. What lies above a key is a chain of iterators, one for each row.
final class Index {
    private final List<String> keys;
    private final List<Integer> rows;

    Index(List<String> keys, List<Integer> rows) {
        this.keys = keys;
        this.rows = rows;
    }

    Iterator<Integer> above(String key) {
        int found = Collections.binarySearch(keys, key);
        List<Iterator<Integer>> chain = new ArrayList<>();
        for (int i = found < 0 ? -found - 1 : found + 1; i < rows.size(); i++) {
            chain.add(rows.subList(i, i + 1).iterator());
        }
        return new Chain(chain.iterator());
    }

    /// One iterator after the other.
    private static final class Chain implements Iterator<Integer> {
        private final Iterator<Iterator<Integer>> chain;
        private Iterator<Integer> current = Collections.emptyIterator();

        Chain(Iterator<Iterator<Integer>> chain) {
            this.chain = chain;
        }

        @Override
        public boolean hasNext() {
            while (!current.hasNext() && chain.hasNext()) {
                current = chain.next();
            }
            return current.hasNext();
        }

        @Override
        public Integer next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return current.next();
        }
    }
}
