package dev.oriel.table.maintenance;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.array.SortedBlock;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyText;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.IndexKey;
import dev.oriel.table.schema.IndexTerms;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.transaction.StoredTransaction;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.SearchTerms;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares a table with its indexes, both ways, in one snapshot. Every row has its own key, and its entry in
/// every index; every entry belongs to a row and is in order. Each finding is a sentence with table, index and
/// key.
public final class TableCheck {
    /// Findings reported for each table and index: a lost index would fill the screen.
    private static final int SENTENCES_MAX = 20;

    private final StoredTransaction transaction;
    private final Transaction store;
    private final TableEntry table;
    private final CheckProgress progress;
    private final List<String> found;
    private final StoredRow row;
    private final Slice rowKey = new Slice();
    private final Slice value = new Slice();
    private final Slice expected = new Slice();
    private final IndexKey key = new IndexKey();
    private @Nullable IndexTerms terms;
    private int said;

    public TableCheck(
            StoredTransaction transaction,
            TableEntry table,
            CheckProgress progress,
            List<String> found) {
        this.progress = progress;
        this.transaction = transaction;
        this.store = transaction.store();
        this.table = table;
        this.found = found;
        this.row = table.newRow();
    }

    public void run() {
        attempt(null, this::checkRows);
        for (IndexEntry index : table.indexes()) {
            said = 0;
            attempt(index, () -> checkIndex(index));
        }
    }

    /// Runs a part of the check. An exception ends it and is reported: damaged bytes may hold values that no
    /// statement writes.
    private void attempt(@Nullable IndexEntry index, Runnable part) {
        try {
            part.run();
        } catch (CorruptionException
                | UsageException
                | ArithmeticException
                | DateTimeException
                | IllegalArgumentException
                | IndexOutOfBoundsException e) {
            say(index, "cannot be read to its end (" + e.getMessage() + ")");
        }
    }

    /// Decodes each column of the row.
    private void readColumns() {
        for (int i = 0; i < table.table().columns().size(); i++) {
            if (row.isNull(i)) {
                continue;
            }
            Type type = table.table().columns().get(i).type();
            switch (type.shape()) {
                case LONG -> StoredValues.check(type, row.longAt(i));
                case DOUBLE -> row.doubleAt(i);
                case DECIMAL -> row.decimalAt(i);
                case TEXT, FOLDED -> row.textAt(i);
                case BYTES -> StoredValues.check(type, row.bytesAt(i));
            }
        }
    }

    private void checkIndex(IndexEntry index) {
        terms = IndexTerms.of(table.table(), index.definition(), transaction.core().expressions());
        if (index.isSearch()) {
            checkSearch(index);
        } else if (index.isArray()) {
            checkArray(index, index.versions().at(store.snapshot()));
        } else {
            checkTree(index);
        }
    }

    private void checkRows() {
        NativeBuffer bytes = new NativeBuffer(64);
        Cursor cursor = store.cursor(table.tree());
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            progress.row();
            cursor.key(rowKey);
            cursor.value(value);
            try {
                row.point(value);
                readColumns();
            } catch (CorruptionException e) {
                say(
                        null,
                        "has a row " + rowText() + " that cannot be read (" + e.getMessage() + ")");
                continue;
            }
            if (table.primaryKey().length > 0) {
                bytes.clear();
                StoredKey.putColumns(bytes, row, table.keyTypes(), table.primaryKey());
                if (Slice.compare(bytes.slice(expected), rowKey) != 0) {
                    say(null, "has a row under the key " + rowText() + " which is not its own");
                }
            }
        }
    }

    private void checkTree(IndexEntry index) {
        Cursor rows = store.cursor(table.tree());
        for (boolean more = rows.first(); more; more = rows.next()) {
            progress.row();
            rows.key(rowKey);
            rows.value(value);
            row.point(value);
            encodeKey(index);
            if (!key.present()) {
                continue;
            }
            if (!store.get(index.tree(), key.slice(), expected)
                    || Slice.compare(expected, rowKey) != 0) {
                say(index, "lacks the row " + rowText() + " under the key " + keyText(index));
            }
        }
        Cursor entries = store.cursor(index.tree());
        NativeBuffer last = new NativeBuffer(64);
        Slice entry = new Slice();
        Slice before = new Slice();
        for (boolean more = entries.first(); more; more = entries.next()) {
            progress.row();
            entries.key(entry);
            entries.value(rowKey);
            if (last.length() > 0 && Slice.compare(last.slice(before), entry) >= 0) {
                say(index, "is out of order at the key " + KeyText.of(entry, index.types()));
            }
            last.clear();
            last.putSlice(entry);
            checkEntry(index, entry);
        }
    }

    private void checkSearch(IndexEntry index) {
        long wanted = 0;
        Cursor rows = store.cursor(table.tree());
        for (boolean more = rows.first(); more; more = rows.next()) {
            progress.row();
            rows.key(rowKey);
            rows.value(value);
            row.point(value);
            for (String term : SearchTerms.of(row.textAt(index.columns()[0]))) {
                wanted++;
                key.encodeTerm(table, index, term, rowKey);
                if (!store.get(index.tree(), key.slice(), expected)
                        || Slice.compare(expected, rowKey) != 0) {
                    say(index, "lacks the row " + rowText() + " under the word " + term);
                }
            }
        }
        long entries = 0;
        Cursor all = store.cursor(index.tree());
        for (boolean more = all.first(); more; more = all.next()) {
            progress.row();
            entries++;
        }
        if (entries > wanted) { // each word was found, so some entries belong to no row
            say(index, "has " + (entries - wanted) + " entries that are of no word of a row");
        }
    }

    private void checkArray(IndexEntry index, SortedArray array) {
        Cursor rows = store.cursor(table.tree());
        for (boolean more = rows.first(); more; more = rows.next()) {
            progress.row();
            rows.key(rowKey);
            rows.value(value);
            row.point(value);
            key.encode(table, index, row, rowKey);
            byte[] bytes = key.toHeap();
            int length = key.slice().length();
            if (!array.is(array.ceiling(bytes, length), bytes, length)) {
                say(index, "lacks the row " + rowText() + " under the key " + keyText(index));
            }
        }
        NativeBuffer bytes = new NativeBuffer(64);
        NativeBuffer last = new NativeBuffer(64);
        Slice entry = new Slice();
        Slice before = new Slice();
        int lastColumns = -1;
        for (long at = array.begin(); at < array.end(); at = array.after(at)) {
            progress.row();
            SortedBlock block = array.block(at);
            int start = block.start((int) at);
            int end = block.end((int) at);
            bytes.clear();
            bytes.putBytes(Arrays.copyOfRange(block.bytes(), start, end));
            bytes.slice(entry);
            if (last.length() > 0 && Slice.compare(last.slice(before), entry) >= 0) {
                say(index, "is out of order at the key " + KeyText.of(entry, index.types()));
            }
            int columns = block.rowKeyStart((int) at) - start;
            boolean sameColumns =
                    columns == lastColumns
                            && Slice.compare(
                                            last.segment(), 0, columns, bytes.segment(), 0, columns)
                                    == 0;
            last.clear();
            last.putSlice(entry);
            lastColumns = columns;
            rowKey.set(bytes.segment(), columns, end - start - columns);
            checkEntry(index, entry);
            if (sameColumns && key.distinct() && Slice.compare(key.slice(), entry) == 0) {
                say(
                        index,
                        "has the row "
                                + rowText()
                                + " under the key "
                                + keyText(index)
                                + ", which another row has");
            }
        }
    }

    /// Compares `entry`, which names [#rowKey], with the row.
    private void checkEntry(IndexEntry index, Slice entry) {
        if (!store.get(table.tree(), rowKey, value)) {
            say(
                    index,
                    "has the key "
                            + KeyText.of(entry, index.types())
                            + " of a row "
                            + rowText()
                            + " that does not exist");
            return;
        }
        row.point(value);
        encodeKey(index);
        if (!key.present()) {
            say(index, "has the row " + rowText() + " for which its condition does not hold");
        } else if (Slice.compare(key.slice(), entry) != 0) {
            say(
                    index,
                    "has the row "
                            + rowText()
                            + " under the key "
                            + KeyText.of(entry, index.types())
                            + " instead of "
                            + keyText(index));
        }
    }

    private void encodeKey(IndexEntry index) {
        if (terms == null) {
            key.encode(table, index, row, rowKey);
        } else {
            key.encodeTerms(table, index, terms.of(transaction, row), rowKey);
        }
    }

    private String rowText() {
        return KeyText.of(rowKey, table.keyTypes());
    }

    private String keyText(IndexEntry index) {
        return KeyText.of(key.slice(), index.types());
    }

    private void say(@Nullable IndexEntry index, String what) {
        said++;
        if (said > SENTENCES_MAX + 1) {
            return;
        }
        String where =
                "Table "
                        + table.table().name()
                        + (index == null ? "" : ", index " + index.definition().name());
        found.add(where + (said > SENTENCES_MAX ? " has more such faults." : " " + what + "."));
    }
}
