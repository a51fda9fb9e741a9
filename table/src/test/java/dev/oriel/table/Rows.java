package dev.oriel.table;

import dev.oriel.store.Slice;
import java.util.ArrayList;
import java.util.List;

/// Rows of a table of given columns, without a store.
final class Rows {
    final Table table;
    final NativeBuffer buffer = new NativeBuffer(16);
    private final RowEncoder encoder;
    private final StoredRow row;

    /// Nullable columns `C0`, `C1` ... of `types`.
    Rows(Type... types) {
        this(new Table(1, "T", columns(types), List.of(), List.of()));
    }

    Rows(Table table) {
        this.table = table;
        RowLayout layout = new RowLayout(table.columns(), table.columns().size());
        this.encoder = new RowEncoder(table, layout);
        this.row = new StoredRow(table.columns(), layout, null);
    }

    private static List<Column> columns(Type... types) {
        List<Column> columns = new ArrayList<>();
        for (Type type : types) {
            columns.add(new Column("C" + columns.size(), type, true));
        }
        return columns;
    }

    /// Encodes `values` and stands on the result, until the next call.
    StoredRow store(Row values) {
        encoder.encode(values, buffer);
        row.point(buffer.slice(new Slice()));
        return row;
    }
}
