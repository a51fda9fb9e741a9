package dev.oriel.table;

import dev.oriel.table.definition.Table;

/// Work that statements have left to their ends: rows that wait for keys which other rows still have, and actions of
/// foreign keys. A row that waits is out of its table until then, and reads of the table miss it.
public interface Unsettled {
    /// Whether rows of any table wait.
    boolean hidesRows();

    /// Whether rows of `table` wait.
    boolean hidesRows(Table table);

    /// The place of what statements leave from now on.
    Place place();

    /// Ends a statement within another one, which began at `from`: its rows are put back, and its actions done. Actions
    /// and tests of foreign keys are left to the outer statement if rows of that statement wait, since they may concern
    /// these rows.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if a row has a key that another row has too
    void settle(Place from);

    /// A place in the queues of rows and actions.
    record Place(long rows, long actions) {}
}
