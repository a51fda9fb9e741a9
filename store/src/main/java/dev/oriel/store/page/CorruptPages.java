package dev.oriel.store.page;

import dev.oriel.store.CorruptionException;
import java.lang.foreign.MemorySegment;
import java.util.TreeMap;

/// The damaged pages found by an opening that have no whole copy elsewhere. Either both the shadow's copy and the
/// place in the data file are damaged, or the place alone while the log has only changes for it. The rest of the
/// database is served read-only; access to one of these pages throws.
///
/// In memory such a page has no kind, so it is never taken for a valid one.
public final class CorruptPages {
    /// Kind of a damaged page.
    public static final byte KIND = 0;

    private static final int NAMED_MAX = 20;

    /// Descriptions of the damage, by page.
    private final TreeMap<Long, String> pages = new TreeMap<>();

    public boolean isEmpty() {
        return pages.isEmpty();
    }

    public boolean contains(long page) {
        return pages.containsKey(page);
    }

    /// Formats `memory` as a placeholder of the damaged page.
    public void add(long page, String wrong, MemorySegment memory) {
        pages.put(page, wrong);
        Page.format(memory, 0, KIND, page);
    }

    /// Forgets the page: the log has all of it after all.
    public void remove(long page) {
        pages.remove(page);
    }

    /// The exception for an attempt to write.
    public CorruptionException refusal() {
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
