package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.engine.Bulk;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.IndexKey;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.SearchTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes the entries of one SEARCH index, one for each word of a row's text: the key is the word and the row key,
/// the value the row key. Belongs to a [TableWriter].
///
/// The entries of a change are encoded by [#prepare], which may refuse it, and written by [#write] or [#load].
final class SearchWriter {
    private final TableEntry table;
    private final IndexEntry index;
    private final IndexKey key = new IndexKey();

    /// Entries in sequence, each after its length in two bytes.
    private final NativeBuffer gone = new NativeBuffer(256);

    private final NativeBuffer come = new NativeBuffer(256);
    private final Slice entry = new Slice();

    SearchWriter(TableEntry table, IndexEntry index) {
        this.table = table;
        this.index = index;
    }

    IndexEntry index() {
        return index;
    }

    private List<String> terms(@Nullable StoredRow row) {
        return row == null ? List.of() : SearchTerms.of(row.textAt(index.columns()[0]));
    }

    /// Encodes the entries to remove and to add for the change of `old` to `row`.
    ///
    /// @param old null for a new row
    /// @param row null for a removed one
    /// @throws dev.oriel.store.LimitException if an entry is longer than a key may be
    void prepare(@Nullable StoredRow old, Slice oldKey, @Nullable StoredRow row, Slice newKey) {
        List<String> before = terms(old);
        List<String> now = terms(row);
        List<String> lost = before;
        List<String> won = now;
        if (!before.isEmpty() && !now.isEmpty() && Slice.compare(oldKey, newKey) == 0) {
            lost = new ArrayList<>(before);
            lost.removeAll(now);
            won = new ArrayList<>(now);
            won.removeAll(before);
        }
        encode(lost, oldKey, gone);
        encode(won, newKey, come);
    }

    private void encode(List<String> terms, Slice rowKey, NativeBuffer out) {
        out.clear();
        for (String term : terms) {
            key.encodeTerm(table, index, term, rowKey);
            out.putShort(key.slice().length());
            out.putSlice(key.slice());
        }
    }

    /// Points [#entry] at the entry at `at`, and returns the place of the next one.
    private int entry(NativeBuffer of, int at) {
        int length = of.segment().get(NativeBuffer.SHORT, at);
        int start = at + Short.BYTES;
        entry.set(of.segment(), start, length);
        return start + length;
    }

    /// Writes the prepared entries.
    void write(Transaction store, Slice rowKey) {
        for (int at = 0; at < gone.length(); ) {
            at = entry(gone, at);
            store.deleteUnlocked(index.tree(), entry);
        }
        for (int at = 0; at < come.length(); ) {
            at = entry(come, at);
            store.putUnlocked(index.tree(), entry, rowKey);
        }
    }

    /// Hands the prepared entries of a new row to a bulk load.
    void load(Slice rowKey, Bulk bulk, Consumer<Slice> refused) {
        for (int at = 0; at < come.length(); ) {
            at = entry(come, at);
            bulk.add(index.tree(), entry, rowKey, refused);
        }
    }
}
