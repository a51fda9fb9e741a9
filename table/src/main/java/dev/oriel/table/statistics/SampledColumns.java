package dev.oriel.table.statistics;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.Type;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;

/// The distributions of the columns of a small table, each computed on first use: most queries need one or two, or
/// only the number of rows. Safe for use by any number of threads, which may compute the same one twice.
final class SampledColumns extends AbstractList<ColumnStatistics> implements RandomAccess {
    private final TableEntry table;
    private final NativeBuffer rows;

    /// Ends of the rows in the buffer.
    private final int[] ends;

    private final AtomicReferenceArray<ColumnStatistics> computed;

    /// @param rows all rows of the table, one after the other
    SampledColumns(TableEntry table, NativeBuffer rows, int[] ends) {
        this.table = table;
        this.rows = rows;
        this.ends = ends;
        this.computed = new AtomicReferenceArray<>(table.table().columns().size());
    }

    @Override
    public int size() {
        return computed.length();
    }

    @Override
    public ColumnStatistics get(int column) {
        ColumnStatistics known = computed.get(column);
        if (known == null) {
            known = compute(column);
            computed.set(column, known);
        }
        return known;
    }

    private ColumnStatistics compute(int column) {
        List<byte[]> keys = new ArrayList<>(ends.length);
        Type type = table.table().columns().get(column).type();
        forEachRow(
                table,
                rows,
                ends,
                (row, buffer) -> {
                    if (!row.isNull(column)) {
                        keys.add(RowSample.key(row, column, type, buffer));
                    }
                });
        return RowSample.column(type, keys, ends.length, ends.length);
    }

    /// Hands each row to `visitor`, with a buffer for its keys.
    static void forEachRow(
            TableEntry table,
            NativeBuffer rows,
            int[] ends,
            BiConsumer<StoredRow, NativeBuffer> visitor) {
        StoredRow row = table.newRow();
        NativeBuffer buffer = new NativeBuffer(64);
        Slice all = rows.slice(new Slice());
        Slice one = new Slice();
        int start = 0;
        for (int end : ends) {
            row.point(one.set(all.segment(), all.offset() + start, end - start));
            visitor.accept(row, buffer);
            start = end;
        }
    }
}
