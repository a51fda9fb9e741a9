package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.IndexKey;
import dev.oriel.table.schema.IndexTerms;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.SearchTerms;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Builds an index from the rows of its table: all entries are collected, sorted once, and then packed (ARRAY) or
/// appended in order (BTREE), which fills pages. A BTREE index of a large table is sorted and written in runs, so
/// that memory stays bounded.
public final class IndexBuild {
    private static final long RUN_BYTES_MAX = 64L << 20;
    private static final int TRAILER_BYTES = 2;
    private static final int ROWS_A_REPORT = 1 << 10;
    private static final int COMPARISONS_A_REPORT = 1 << 16;
    private static final int DISTINCT = 0x8000;

    /// Entries in one commit concurrent with other writers, whose commits wait for it.
    private static final int ENTRIES_A_COMMIT = 1 << 11;

    private final Transaction store;
    private final TableEntry table;
    private final IndexEntry index;

    /// The transaction that evaluates the index's terms; null if none.
    private final @Nullable StoredTransaction transaction;

    private final @Nullable IndexTerms terms;

    /// Entries as `columns, row key, u16 bytes of the columns`. The highest bit of the last field says that no
    /// other row may have the same columns. Row keys differ, so the last two bytes never decide an order.
    private final List<byte[]> run = new ArrayList<>();

    private LongConsumer progress = _ -> {};
    private long rows;
    private int compared;

    public IndexBuild(Transaction store, TableEntry table, IndexEntry index) {
        this.store = store;
        this.table = table;
        this.index = index;
        this.transaction = null;
        this.terms = null;
    }

    /// For an index that may have terms.
    IndexBuild(StoredTransaction transaction, TableEntry table, IndexEntry index) {
        this.store = transaction.store();
        this.table = table;
        this.index = index;
        this.transaction = transaction;
        this.terms =
                IndexTerms.of(table.table(), index.definition(), transaction.core().expressions());
    }

    /// Periodically reports the number of rows read to `rows`; an exception that it throws ends the build.
    IndexBuild telling(LongConsumer rows) {
        progress = rows;
        return this;
    }

    /// The entries of an ARRAY index.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if it is unique and two rows have the same key
    public SortedArray array() {
        collect(Long.MAX_VALUE);
        run.sort(this::compare);
        SortedArray.Builder builder = new SortedArray.Builder();
        byte[] last = null;
        for (byte[] entry : run) {
            int columns = columnBytes(entry);
            if (last != null
                    && isDistinct(entry)
                    && columns == columnBytes(last)
                    && Arrays.equals(entry, 0, columns, last, 0, columns)) {
                throw table.duplicate(index, Slice.copyOf(entry));
            }
            last = entry;
            builder.add(Arrays.copyOf(entry, entry.length - TRAILER_BYTES), columns);
        }
        return builder.build();
    }

    /// Fills the tree of a BTREE index.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if it is unique and two rows have the same key
    void fillTree() {
        collect(RUN_BYTES_MAX);
        writeRun();
    }

    private void collect(long runBytesMax) {
        Cursor cursor = store.cursor(table.tree());
        Slice rowKey = new Slice();
        Slice value = new Slice();
        StoredRow row = table.newRow();
        IndexKey key = new IndexKey();
        long runBytes = 0;
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            cursor.key(rowKey);
            cursor.value(value);
            row.point(value);
            if (index.isSearch()) {
                for (String term : SearchTerms.of(row.textAt(index.columns()[0]))) {
                    key.encodeTerm(table, index, term, rowKey);
                    runBytes += keep(key, rowKey);
                }
            } else if (terms != null && transaction != null) {
                key.encodeTerms(table, index, terms.of(transaction, row), rowKey);
                if (key.present()) {
                    runBytes += keep(key, rowKey);
                }
            } else {
                key.encode(table, index, row, rowKey);
                runBytes += keep(key, rowKey);
            }
            if (runBytes > runBytesMax) {
                writeRun();
                runBytes = 0;
            }
            if (++rows % ROWS_A_REPORT == 0) {
                progress.accept(rows);
            }
        }
    }

    private int keep(IndexKey key, Slice rowKey) {
        byte[] entry = entry(key, rowKey);
        run.add(entry);
        return entry.length;
    }

    private static byte[] entry(IndexKey key, Slice rowKey) {
        int columns = key.columnBytes();
        byte[] entry = new byte[columns + rowKey.length() + TRAILER_BYTES];
        MemorySegment from = key.slice().segment();
        MemorySegment.copy(from, NativeBuffer.BYTE, key.slice().offset(), entry, 0, columns);
        MemorySegment.copy(
                rowKey.segment(),
                NativeBuffer.BYTE,
                rowKey.offset(),
                entry,
                columns,
                rowKey.length());
        int trailer = columns | (key.distinct() || key.alone() ? DISTINCT : 0);
        entry[entry.length - 2] = (byte) trailer;
        entry[entry.length - 1] = (byte) (trailer >> 8);
        return entry;
    }

    private static int trailer(byte[] entry) {
        return (entry[entry.length - 2] & 0xFF) | (entry[entry.length - 1] & 0xFF) << 8;
    }

    private static int columnBytes(byte[] entry) {
        return trailer(entry) & ~DISTINCT;
    }

    private static boolean isDistinct(byte[] entry) {
        return (trailer(entry) & DISTINCT) != 0;
    }

    private int compare(byte[] a, byte[] b) {
        if (++compared % COMPARISONS_A_REPORT == 0) {
            progress.accept(rows);
        }
        return Arrays.compareUnsigned(a, b);
    }

    private void writeRun() {
        run.sort(this::compare);
        int from = 0;
        while (from < run.size()) {
            Transaction filling =
                    transaction == null ? null : transaction.definitions().beginFilling();
            if (filling == null) {
                write(store, from, run.size(), false);
                break;
            }
            try (filling) {
                int to = Math.min(run.size(), from + ENTRIES_A_COMMIT);
                write(filling, from, to, true);
                filling.commit();
                from = to;
            }
        }
        run.clear();
    }

    /// @param alone whether no other transaction knows the tree
    private void write(Transaction to, int from, int end, boolean alone) {
        NativeBuffer bytes = new NativeBuffer(64);
        Slice key = new Slice();
        Slice rowKey = new Slice();
        Slice found = new Slice();
        for (int i = from; i < end; i++) {
            byte[] entry = run.get(i);
            if (i % ROWS_A_REPORT == 0) {
                progress.accept(rows);
            }
            int columns = columnBytes(entry);
            int whole = entry.length - TRAILER_BYTES;
            bytes.clear();
            bytes.putBytes(entry);
            key.set(bytes.segment(), 0, isDistinct(entry) ? columns : whole);
            rowKey.set(bytes.segment(), columns, whole - columns);
            if (index.definition().deferred()) {
                refuseShared(to, key);
            }
            boolean added =
                    alone
                            ? !isDistinct(entry) || !to.get(index.tree(), key, found)
                            : to.insert(index.tree(), key, rowKey);
            if (!added) {
                throw table.duplicate(index, key);
            }
            if (alone) {
                to.putUnlocked(index.tree(), key, rowKey);
            }
        }
    }

    /// Refuses the entry `key` of a constraint that is tested at the commit, if another one has the same columns.
    private void refuseShared(Transaction to, Slice key) {
        byte[] columns = SharedKeys.columns(key, index.types());
        if (columns.length == 0 || index.holdsRowKey()) {
            return;
        }
        byte[] after = Arrays.copyOf(columns, columns.length + 1);
        after[columns.length] = (byte) KeyCodec.AFTER;
        if (to.cursor(index.tree()).seek(Slice.copyOf(columns), Slice.copyOf(after))) {
            throw table.duplicate(index, key);
        }
    }
}
