package dev.oriel.table.model;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.row.RowEncoder;
import dev.oriel.table.row.RowLayout;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import java.util.ArrayList;
import java.util.List;

/// Rows of a table of given columns, without a store.
public final class Rows {
    public final Table table;
    public final NativeBuffer buffer = new NativeBuffer(16);
    private final RowEncoder encoder;
    private final StoredRow row;

    /// Nullable columns `C0`, `C1` ... of `types`.
    public Rows(Type... types) {
        this(new Table(1, "T", columns(types), List.of(), List.of()));
    }

    public Rows(Table table) {
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
    public StoredRow store(Row values) {
        encoder.encode(values, buffer);
        row.point(buffer.slice(new Slice()));
        return row;
    }
}
