package dev.oriel.sql.change;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.store.Slice;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Updates and deletes rows of a table with triggers. The statement has computed all changes from the rows as it found
/// them: none may be changed by a trigger before its turn has come.
final class RowTriggers {
    private static final int[] NONE = new int[0];

    private final Table table;
    private final Execution execution;
    private final Triggering.OfTable triggers;
    private final int[] columns;
    private final Type.Shape[] shapes;
    private final Row stored;
    private final SameRow same;
    private final Slice held = new Slice();

    /// The rows as the statement found them, in the order of their changes; null if no trigger fires before the statement or its rows.
    private @Nullable RowSpool found;

    private RowSpool.@Nullable Reader next;

    /// The number of changes of the transaction after the last one of the statement itself.
    private long changes;

    /// Whether triggers have changed anything since the rows were found.
    private boolean moved;

    private RowTriggers(
            Table table, Execution execution, Triggering.OfTable triggers, int[] columns) {
        this.table = table;
        this.execution = execution;
        this.triggers = triggers;
        this.columns = columns;
        this.shapes =
                table.columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
        this.stored = execution.transaction().rowOf(table);
        this.same = new SameRow(table, execution);
    }

    /// The triggers of `table` for one statement; null if it has none.
    ///
    /// @param columns positions of the columns that an UPDATE sets
    static @Nullable RowTriggers of(Table table, Execution execution, int... columns) {
        Triggering.OfTable found = execution.triggers(table);
        return found == null ? null : new RowTriggers(table, execution, found, columns);
    }

    /// Fires the triggers before a statement of the kind `event`.
    void begin(Event event) {
        triggers.begin(event, event == Event.UPDATE ? columns : NONE);
    }

    /// Notes the row `key` before the statement changes any. Rows are changed in the order in which they are noted.
    void note(Slice key) {
        if (!triggers.early()) {
            return;
        }
        RowSpool rows = found;
        if (rows == null) {
            rows = new RowSpool(execution.cancellation(), execution.memory().share(), shapes);
            found = rows;
            changes = execution.transaction().changes();
        }
        if (!execution.transaction().fetch(table, key, stored)) {
            throw new IllegalStateException("a row that was found is gone");
        }
        rows.add(stored);
    }

    /// Forgets the rows that were noted.
    void end() {
        if (next != null) {
            next.close();
            next = null;
        }
        if (found != null) {
            found.clear();
            found = null;
        }
    }

    /// Replaces the row `key`; false if there is none.
    boolean update(Slice key, Tuple values) {
        TableTransaction transaction = execution.transaction();
        Tuple old = old(key);
        if (old == null) {
            return false;
        }
        triggers.before(Event.UPDATE, old, values, columns);
        checkMoved(old);
        if (!transaction.update(table, held, values, true)) {
            return false;
        }
        changes = transaction.changes();
        transaction.offered(table, stored);
        triggers.after(Event.UPDATE, old, stored, columns);
        return true;
    }

    /// Removes the row `key`; false if there is none.
    boolean delete(Slice key) {
        TableTransaction transaction = execution.transaction();
        Tuple old = old(key);
        if (old == null) {
            return false;
        }
        triggers.before(Event.DELETE, old, null);
        checkMoved(old);
        if (!transaction.delete(table, held)) {
            return false;
        }
        changes = transaction.changes();
        triggers.after(Event.DELETE, old, null);
        return true;
    }

    /// The row `key`, which is as it was found; null if there is none.
    private @Nullable Tuple old(Slice key) {
        held.setCopy(key);
        Row noted = noted();
        if (noted != null) {
            checkMoved(noted);
        }
        return execution.transaction().fetch(table, held, stored)
                ? KeptRows.copy(stored, shapes)
                : null;
    }

    private @Nullable Row noted() {
        RowSpool rows = found;
        if (rows == null) {
            changes = execution.transaction().changes();
            return null;
        }
        RowSpool.Reader reader = next;
        if (reader == null) {
            reader = rows.reader();
            next = reader;
        }
        return reader.next();
    }

    private void checkMoved(Row old) {
        moved |= execution.transaction().changes() != changes;
        if (moved) {
            same.check(held, old);
        }
    }
}
