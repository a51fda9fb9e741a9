package dev.oriel.sql.change;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.store.Slice;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Updates and deletes rows of a table with triggers.
final class RowTriggers {
    private final Table table;
    private final Execution execution;
    private final Triggering.OfTable triggers;
    private final Type.Shape[] shapes;
    private final Row stored;
    private final Slice held = new Slice();

    private RowTriggers(Table table, Execution execution, Triggering.OfTable triggers) {
        this.table = table;
        this.execution = execution;
        this.triggers = triggers;
        this.shapes =
                table.columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
        this.stored = execution.transaction().rowOf(table);
    }

    /// The triggers of `table`, after those before a statement of the kind `event` have fired; null if it has none.
    ///
    /// @param columns positions of the columns that an UPDATE sets
    static @Nullable RowTriggers of(Table table, Execution execution, Event event, int... columns) {
        Triggering.OfTable found = execution.triggers(table);
        if (found == null) {
            return null;
        }
        found.begin(event, columns);
        return new RowTriggers(table, execution, found);
    }

    /// Replaces the row `key`; false if there is none.
    boolean update(Slice key, Tuple values) {
        TableTransaction transaction = execution.transaction();
        held.setCopy(key);
        if (!transaction.fetch(table, held, stored)) {
            return false;
        }
        Tuple old = KeptRows.copy(stored, shapes);
        long changes = transaction.changes();
        triggers.before(Event.UPDATE, old, values);
        checkSame(transaction, old, changes);
        if (!transaction.update(table, held, values, true)) {
            return false;
        }
        transaction.offered(table, stored);
        triggers.after(Event.UPDATE, old, stored);
        return true;
    }

    /// Removes the row `key`; false if there is none.
    boolean delete(Slice key) {
        TableTransaction transaction = execution.transaction();
        held.setCopy(key);
        if (!transaction.fetch(table, held, stored)) {
            return false;
        }
        Tuple old = KeptRows.copy(stored, shapes);
        long changes = transaction.changes();
        triggers.before(Event.DELETE, old, null);
        checkSame(transaction, old, changes);
        if (!transaction.delete(table, held)) {
            return false;
        }
        triggers.after(Event.DELETE, old, null);
        return true;
    }

    private boolean isSame(Row one, Row other) {
        for (int i = 0; i < shapes.length; i++) {
            if (one.isNull(i) != other.isNull(i)) {
                return false;
            }
            boolean same =
                    one.isNull(i)
                            || switch (shapes[i]) {
                                case LONG -> one.longAt(i) == other.longAt(i);
                                case DOUBLE ->
                                        Double.compare(one.doubleAt(i), other.doubleAt(i)) == 0;
                                case DECIMAL ->
                                        Objects.requireNonNull(one.decimalAt(i))
                                                        .compareTo(
                                                                Objects.requireNonNull(
                                                                        other.decimalAt(i)))
                                                == 0;
                                case TEXT, FOLDED -> Objects.equals(one.textAt(i), other.textAt(i));
                                case BYTES -> Arrays.equals(one.bytesAt(i), other.bytesAt(i));
                            };
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /// Refuses a row that its own triggers have changed in the table.
    private void checkSame(TableTransaction transaction, Tuple old, long changes) {
        if (transaction.changes() == changes) {
            return;
        }
        boolean same = transaction.fetch(table, held, stored) && isSame(stored, old);
        if (!same) {
            throw new SqlException(
                    Kind.TRIGGERED_CHANGE,
                    "A trigger BEFORE a row has changed that row in table \""
                            + table.name()
                            + "\"; use SET, or a trigger AFTER it",
                    -1,
                    null);
        }
    }
}
