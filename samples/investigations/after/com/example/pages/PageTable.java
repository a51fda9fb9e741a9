package com.example.pages;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/// The versions of pages that transactions have written.
final class PageTable {
    private final Map<Long, Versions> pages = new HashMap<>();

    void set(long transaction, long page, long position) {
        pages.computeIfAbsent(page, number -> new Versions()).add(transaction, position);
    }

    long position(long transaction, long page) {
        Versions versions = pages.get(page);
        return versions == null ? -1 : versions.position(transaction);
    }

    /// Forgets the versions of transactions up to that one, and pages that have none left.
    void forget(long transaction) {
        Iterator<Versions> all = pages.values().iterator();
        while (all.hasNext()) {
            Versions versions = all.next();
            versions.forget(transaction);
            if (versions.isEmpty()) {
                all.remove();
            }
        }
    }
}
