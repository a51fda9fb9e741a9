package com.example.ranges;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/// Rows in the order of their keys. What lies above a key is read where it lies, by one iterator.
final class Index {
    private final List<String> keys;
    private final List<Integer> rows;

    Index(List<String> keys, List<Integer> rows) {
        this.keys = keys;
        this.rows = rows;
    }

    Iterator<Integer> above(String key) {
        int found = Collections.binarySearch(keys, key);
        return rows.listIterator(found < 0 ? -found - 1 : found + 1);
    }
}
