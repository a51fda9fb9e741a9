package dev.oriel.table;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.Table;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The triggers of tables whose rows follow a key of another table. The layer above runs them, in the transaction that
/// changes the rows.
public interface TriggerCalls {
    /// Fires none, for rows that the database moves or removes by itself.
    TriggerCalls NONE =
            new TriggerCalls() {
                @Override
                public boolean any(Table table) {
                    return false;
                }

                @Override
                public void before(
                        Table table, Slice key, int[] columns, Row old, @Nullable Tuple now) {
                    // none fire
                }

                @Override
                public void after(Table table, int[] columns, Row old, @Nullable Row now) {
                    // none fire
                }
            };

    /// Whether `table` has triggers.
    boolean any(Table table);

    /// A row is about to follow a key.
    ///
    /// @param key of the row in the table
    /// @param columns positions of the columns that change
    /// @param now the row as it is to be, which triggers may change; null if it is to be removed
    void before(Table table, Slice key, int[] columns, Row old, @Nullable Tuple now);

    /// A row has followed a key.
    ///
    /// @param columns as in [#before]
    /// @param now the row as it was written; null if it was removed
    void after(Table table, int[] columns, Row old, @Nullable Row now);
}
