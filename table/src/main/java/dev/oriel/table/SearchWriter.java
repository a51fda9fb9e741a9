package dev.oriel.table;

import dev.oriel.store.Bulk;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes the entries of one SEARCH index, one for each word of a row's text: the word and the row key, which
/// lead to the row key. Belongs to a [TableWriter].
final class SearchWriter {
    private final TableEntry table;
    private final IndexEntry index;
    private final IndexKey key = new IndexKey();
    private List<String> old = List.of();

    SearchWriter(TableEntry table, IndexEntry index) {
        this.table = table;
        this.index = index;
    }

    private List<String> terms(StoredRow row) {
        return SearchTerms.of(row.textAt(index.columns()[0]));
    }

    /// Takes note of the words of a row that is about to be changed or removed.
    void leaving(StoredRow row) {
        old = terms(row);
    }

    /// Writes the entries of a row in the place of those that were noted.
    ///
    /// @param row as it is now; null where it is gone
    void write(
            Transaction store, Slice oldKey, @Nullable StoredRow row, Slice newKey, boolean moved) {
        List<String> now = row == null ? List.of() : terms(row);
        List<String> gone = new ArrayList<>(old);
        List<String> come = new ArrayList<>(now);
        if (!moved) {
            gone.removeAll(now);
            come.removeAll(old);
        }
        old = List.of();
        for (String term : gone) {
            key.encodeTerm(table, index, term, oldKey);
            store.deleteUnlocked(index.tree(), key.slice());
        }
        for (String term : come) {
            key.encodeTerm(table, index, term, newKey);
            store.putUnlocked(index.tree(), key.slice(), newKey);
        }
    }

    /// Hands the entries of a new row to a bulk load.
    void load(StoredRow row, Slice rowKey, Bulk bulk, Consumer<Slice> refused) {
        for (String term : terms(row)) {
            key.encodeTerm(table, index, term, rowKey);
            bulk.add(index.tree(), key.slice(), rowKey, refused);
        }
    }
}
