package dev.oriel.sql.plan;

import dev.oriel.table.TriggerCalls;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The triggers of a running statement.
public interface Triggering extends TriggerCalls {
    /// The triggers of `table`; null if it has none.
    @Nullable OfTable of(Table table);

    /// The triggers of one table.
    interface OfTable {
        /// The statement makes changes of this kind: fires the triggers BEFORE it that have not fired yet.
        ///
        /// @param columns positions of the columns that an UPDATE sets
        void begin(Event event, int... columns);

        /// Whether any fires before the statement or a row, and may change rows of the statement.
        boolean early();

        /// A row is about to change: fires the triggers BEFORE it.
        ///
        /// @param old null if it is new
        /// @param now the new row, which triggers may change; null if the row is deleted
        /// @param columns as in [#begin]
        void before(Event event, @Nullable Row old, @Nullable Tuple now, int... columns);

        /// Fires the triggers in the place of a change of a view.
        void instead(Event event, @Nullable Row old, @Nullable Row now);

        /// A row has changed. The triggers after it fire at the end of the statement.
        ///
        /// @param columns as in [#begin]
        void after(Event event, @Nullable Row old, @Nullable Row now, int... columns);
    }
}
