package dev.oriel.graph.element;

import dev.oriel.table.Index;
import dev.oriel.table.RowCursor;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reusable cursors over the rows of one table, in key order and in the orders of its indexes. Belongs to one
/// [GraphTransaction].
final class TableCursors {
    private final Table table;
    private final RowCursor ordered;
    private final Map<Index, RowCursor> byIndex = new HashMap<>(4);

    TableCursors(Table table, TableTransaction transaction) {
        this.table = table;
        this.ordered = transaction.cursor(table, null);
    }

    /// The cursor in the order of the table.
    RowCursor ordered() {
        return ordered;
    }

    /// The cursor in the order of `index`; in the order of the table if it is null.
    RowCursor by(@Nullable Index index, TableTransaction transaction) {
        return index == null
                ? ordered
                : byIndex.computeIfAbsent(index, of -> transaction.cursor(table, of));
    }
}
