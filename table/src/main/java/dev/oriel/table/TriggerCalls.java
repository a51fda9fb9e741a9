package dev.oriel.table;

import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The triggers of tables whose rows follow a key of another table. The layer above runs them, in the transaction that
/// changes the rows.
public interface TriggerCalls {
    /// Whether `table` has triggers.
    boolean any(Table table);

    /// A row is about to follow a key.
    ///
    /// @param columns positions of the columns that change
    /// @param now the row as it is to be, which triggers may change; null if it is to be removed
    void before(Table table, int[] columns, Row old, @Nullable Tuple now);

    /// A row has followed a key.
    ///
    /// @param now the row as it was written; null if it was removed
    void after(Table table, Row old, @Nullable Row now);
}
