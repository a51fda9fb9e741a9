package dev.oriel.table.schema;

import dev.oriel.store.Slice;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import org.jspecify.annotations.Nullable;

/// The entry of one row in one index, encoded: the indexed columns, then the row key unless the columns alone are
/// the key. Reusable.
public final class IndexKey {
    private final NativeBuffer buffer = new NativeBuffer(64);
    private final Slice slice = new Slice();
    private int columnBytes;
    private boolean unique;
    private boolean distinct;
    private boolean deferred;
    private boolean alone;
    private boolean present = true;
    private byte[] heap = new byte[64];

    /// Encodes the entry of `row`, which has the key `rowKey`, in `index`.
    ///
    /// @throws dev.oriel.store.LimitException if it is longer than a key may be
    public void encode(TableEntry table, IndexEntry index, StoredRow row, Slice rowKey) {
        buffer.clear();
        boolean some =
                StoredKey.putColumns(buffer, row, index.types(), index.columns(), index.orders());
        boolean all = some;
        for (int i = 0; i < index.columns().length && all; i++) {
            all = row.isNull(index.columns()[i]);
        }
        finish(table, index, isDistinct(index, some, all), rowKey);
    }

    /// Encodes the entry of an index with terms, with the values `values`; null if the row is not in the index.
    public void encodeTerms(
            TableEntry table, IndexEntry index, @Nullable Row values, Slice rowKey) {
        buffer.clear();
        if (values == null) {
            present = false;
            columnBytes = 0;
            unique = false;
            distinct = false;
            deferred = false;
            alone = false;
            buffer.slice(slice);
            return;
        }
        boolean some = false;
        boolean all = true;
        for (int i = 0; i < index.types().length; i++) {
            some |= values.isNull(i);
            all &= values.isNull(i);
        }
        KeyCodec.putRow(buffer, values, index.types(), index.types().length, index.orders());
        finish(table, index, isDistinct(index, some, all), rowKey);
    }

    /// Whether NULLs make the entry unlike all others.
    private static boolean isDistinct(IndexEntry index, boolean some, boolean all) {
        return switch (index.definition().nulls()) {
            case DISTINCT -> some;
            case NOT_DISTINCT -> false;
            case ALL_DISTINCT -> some && all;
        };
    }

    private void finish(TableEntry table, IndexEntry index, boolean apart, Slice rowKey) {
        present = true;
        columnBytes = buffer.length();
        unique = index.unique() && !apart;
        distinct = unique && !index.holdsRowKey();
        deferred = index.definition().deferred() && !apart && !index.holdsRowKey();
        alone = (distinct || index.holdsRowKey()) && !index.isArray();
        if (!alone) {
            buffer.putSlice(rowKey);
        }
        buffer.slice(slice);
        if (slice.length() > KeyCodec.BYTES_MAX) {
            throw KeyCodec.tooLong(slice.length(), table.table().name(), index.definition().name());
        }
    }

    /// Whether the row has an entry at all.
    public boolean present() {
        return present;
    }

    /// Encodes the entry of a word of the row of this key in a SEARCH index.
    ///
    /// @throws dev.oriel.store.LimitException if it is longer than a key may be
    public void encodeTerm(TableEntry table, IndexEntry index, String term, Slice rowKey) {
        buffer.clear();
        present = true;
        KeyCodec.putText(buffer, term);
        columnBytes = buffer.length();
        unique = false;
        distinct = false;
        deferred = false;
        alone = false;
        buffer.putSlice(rowKey);
        buffer.slice(slice);
        if (slice.length() > KeyCodec.BYTES_MAX) {
            throw KeyCodec.tooLong(slice.length(), table.table().name(), index.definition().name());
        }
    }

    /// Bytes of the indexed columns.
    public int columnBytes() {
        return columnBytes;
    }

    /// Whether the columns are the whole key.
    public boolean alone() {
        return alone;
    }

    /// Whether no other row may have the same columns.
    public boolean unique() {
        return unique;
    }

    /// Whether no other row may have the same columns, and this is still to be tested.
    public boolean distinct() {
        return distinct;
    }

    /// Whether no other row may have the same columns at the commit.
    public boolean deferred() {
        return deferred;
    }

    /// The whole entry; holds until the next `encode`.
    public Slice slice() {
        return slice;
    }

    /// Points `out` at the bytes of the columns.
    public Slice columns(Slice out) {
        return out.set(buffer.segment(), 0, columnBytes);
    }

    /// The whole entry in an array of the heap, of which the first `slice().length()` bytes are valid.
    public byte[] toHeap() {
        if (heap.length < buffer.length()) {
            heap = new byte[Math.max(buffer.length(), 2 * heap.length)];
        }
        buffer.copyTo(heap);
        return heap;
    }

    /// Whether both have the same columns.
    public boolean sameColumns(IndexKey other) {
        return present == other.present
                && Slice.compare(
                                buffer.segment(),
                                0,
                                columnBytes,
                                other.buffer.segment(),
                                0,
                                other.columnBytes)
                        == 0;
    }

    /// Whether both are the same entry; the value in the tree is not compared.
    public boolean same(IndexKey other) {
        return present == other.present && Slice.compare(slice, other.slice) == 0;
    }
}
