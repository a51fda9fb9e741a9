package dev.oriel.store.sort;

import dev.oriel.store.Entries;
import dev.oriel.store.Slice;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Merges sorted sources into one sequence with each key once: from the youngest source that has it.
public final class EntryMerge implements Entries {
    /// Entries in the order of their keys, each key once.
    public abstract static class Source {
        /// The age; a higher one came later.
        final int age;

        public final Slice key = new Slice();
        public final Slice value = new Slice();

        public Source(int age) {
            this.age = age;
        }

        /// Points key and value at the next entry; they hold until the next call. False at the end.
        public abstract boolean next();
    }

    private final PriorityQueue<Source> heads;
    private final EntrySort.Duplicates duplicates;

    /// The source of the last entry returned: it may be read until the next call.
    private @Nullable Source current;

    EntryMerge(List<Source> sources, EntrySort.Duplicates duplicates) {
        this.duplicates = duplicates;
        this.heads = new PriorityQueue<>(sources.size() + 1, EntryMerge::compare);
        for (Source source : sources) {
            advance(source);
        }
    }

    private static int compare(Source a, Source b) {
        int order = Slice.compare(a.key, b.key);
        return order != 0 ? order : Integer.compare(b.age, a.age);
    }

    private void advance(Source source) {
        if (source.next()) {
            heads.add(source);
        }
    }

    @Override
    public boolean next(Slice key, Slice value) {
        Source youngest = advanced();
        current = youngest;
        if (youngest == null) {
            return false;
        }
        for (Source next = heads.peek();
                next != null && Slice.compare(next.key, youngest.key) == 0;
                next = heads.peek()) {
            duplicates.found(youngest.key);
            heads.poll();
            advance(next);
        }
        key.set(youngest.key.segment(), youngest.key.offset(), youngest.key.length());
        value.set(youngest.value.segment(), youngest.value.offset(), youngest.value.length());
        return true;
    }

    /// The source of the next entry. If the key ranges of sources do not overlap, as with sorted input, it stays
    /// the same for long, and the others are not touched.
    private @Nullable Source advanced() {
        Source before = current;
        if (before == null || !before.next()) {
            return heads.poll();
        }
        Source head = heads.peek();
        if (head == null || compare(before, head) < 0) {
            return before;
        }
        heads.add(before);
        return heads.poll();
    }
}
