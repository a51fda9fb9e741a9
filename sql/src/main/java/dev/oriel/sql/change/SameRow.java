package dev.oriel.sql.change;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import java.util.Arrays;
import java.util.Objects;

/// Refuses rows of a table that triggers have changed before the statement does.
final class SameRow {
    private final Table table;
    private final Execution execution;
    private final Type.Shape[] shapes;
    private final Row stored;

    SameRow(Table table, Execution execution) {
        this.table = table;
        this.execution = execution;
        this.shapes =
                table.columns().stream()
                        .map(column -> column.type().shape())
                        .toArray(Type.Shape[]::new);
        this.stored = execution.transaction().rowOf(table);
    }

    /// Checks that the row `key` is still `old`.
    void check(Slice key, Row old) {
        if (!execution.transaction().fetch(table, key, stored) || !isSame(stored, old)) {
            throw new SqlException(
                    Kind.TRIGGERED_CHANGE,
                    "A trigger BEFORE a change has changed a row that the statement has yet to"
                            + " change, in table \""
                            + table.name()
                            + "\"; use SET, or a trigger AFTER it",
                    -1,
                    null);
        }
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
}
