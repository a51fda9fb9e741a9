package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.TreeMap;

/// The pages that an opening has found damaged where nothing else holds all of them: the shadow's copy and
/// the place in the data file, or the place alone while the log has only changes for it. The rest of the
/// database is served, for reading only; what leads to one of these pages throws.
///
/// In memory such a page is one of no kind, so nobody takes it for anything.
final class CorruptPages {
    /// Of a page that is none.
    static final byte KIND = 0;

    private static final int NAMED_MAX = 20;

    /// What is wrong with each.
    private final TreeMap<Long, String> pages = new TreeMap<>();

    boolean isEmpty() {
        return pages.isEmpty();
    }

    boolean contains(long page) {
        return pages.containsKey(page);
    }

    /// Makes `memory` stand for the damaged page.
    void add(long page, String wrong, MemorySegment memory) {
        pages.put(page, wrong);
        Page.format(memory, 0, KIND, page);
    }

    /// The log has all of the page after all.
    void remove(long page) {
        pages.remove(page);
    }

    /// What to throw where somebody wants to write.
    CorruptionException refusal() {
        StringBuilder facts = new StringBuilder("count=").append(pages.size());
        pages.entrySet().stream()
                .limit(NAMED_MAX)
                .forEach(page ->
                        facts.append(" page=%d (%s)".formatted(page.getKey(), page.getValue())));
        return new CorruptionException(
                "Pages are damaged, and the log has only changes for them, so the database can only be"
                        + " read; check it to see which trees they belong to, and restore a backup or"
                        + " copy the rest",
                facts.toString());
    }
}
