package dev.oriel.graph.element;

import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reusable cursors over the rows of one table, in key order and in the orders of its indexes, made at first use.
/// Belongs to one [GraphTransaction].
final class TableCursors {
    private final Table table;
    private @Nullable RowCursor ordered;
    private final Map<Index, RowCursor> byIndex = new HashMap<>(4);

    TableCursors(Table table) {
        this.table = table;
    }

    /// The cursor in the order of the table.
    RowCursor ordered(TableTransaction transaction) {
        RowCursor made = ordered;
        if (made == null) {
            made = transaction.cursor(table, null);
            ordered = made;
        }
        return made;
    }

    /// The cursor in the order of `index`; in the order of the table if it is null.
    RowCursor by(@Nullable Index index, TableTransaction transaction) {
        return index == null
                ? ordered(transaction)
                : byIndex.computeIfAbsent(index, of -> transaction.cursor(table, of));
    }
}
