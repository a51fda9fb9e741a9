package dev.oriel.graph.tables;

import dev.oriel.table.Tuple;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rows that a transaction has added to a table while somebody goes over its primary key, who is not to meet
/// them: a traversal that adds a row for each that it finds would not end. Kept only as long as there is such a
/// reader. Belongs to one thread.
final class AddedRows {
    private static final int PURGE_FIRST = 1 << 10;

    private final ElementTable table;
    private final List<WeakReference<TableRows<?>>> readers = new ArrayList<>();

    /// By id: when it was added.
    private final Map<String, Long> moments = new HashMap<>();

    private int purgeReadersAt = PURGE_FIRST;
    private int purgeAt = PURGE_FIRST;

    AddedRows(ElementTable table) {
        this.table = table;
    }

    /// `reader` has begun to read the primary key.
    void isReadBy(TableRows<?> reader) {
        if (readers.size() >= purgeReadersAt) {
            purgeReaders();
            purgeReadersAt = Math.max(PURGE_FIRST, 2 * readers.size());
        }
        readers.add(new WeakReference<>(reader));
    }

    private void purgeReaders() {
        readers.removeIf(each -> {
            TableRows<?> reader = each.get();
            return reader == null || reader.isDone();
        });
    }

    /// The row of this key was added.
    void add(Tuple key, long moment) {
        if (moments.size() >= purgeAt) {
            purgeReaders();
            purgeAt *= 2;
        }
        if (readers.isEmpty()) {
            moments.clear();
            purgeAt = PURGE_FIRST;
        } else {
            moments.put(table.id(key), moment);
        }
    }

    boolean isEmpty() {
        return moments.isEmpty();
    }

    /// Whether the row of this key was added at `moment` or later.
    boolean isSince(Tuple key, long moment) {
        Long added = moments.get(table.id(key));
        return added != null && added >= moment;
    }
}
