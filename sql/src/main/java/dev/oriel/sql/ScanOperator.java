package dev.oriel.sql;

import dev.oriel.store.Slice;
import dev.oriel.table.Column;
import dev.oriel.table.KeyRange;
import dev.oriel.table.Row;
import dev.oriel.table.RowCursor;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a table by a key: fills a [KeyRange] from the plan's bounds, and walks the cursor.
final class ScanOperator implements Operator {
    private final Plan.Scan plan;
    private final Execution execution;
    private final RowCursor cursor;
    private final KeyRange range;
    private final Frame frame;
    private boolean empty;

    ScanOperator(Plan.Scan plan, Execution execution) {
        this(plan, execution, new Tuple(0));
    }

    /// @param outer what the bounds are evaluated on
    ScanOperator(Plan.Scan plan, Execution execution, Row outer) {
        this.plan = plan;
        this.execution = execution;
        this.cursor = execution.transaction().cursor(plan.table(), plan.index());
        this.range = new KeyRange(plan.keyColumns().size());
        this.frame = new Frame(execution, outer);
    }

    @Override
    public void open() {
        empty = !fill();
        if (!empty) {
            cursor.open(execution.transaction(), range, plan.descending());
        }
    }

    @Override
    public boolean next() {
        execution.poll();
        return !empty && cursor.next();
    }

    @Override
    public Row row() {
        return cursor;
    }

    /// Points `out` at the key of the row.
    void rowKey(Slice out) {
        cursor.rowKey(out);
    }

    @Override
    public void close() {
        empty = true;
    }

    /// Evaluates the bounds; false where nothing can lie between them.
    private boolean fill() {
        range.open();
        Plan.Bounds bounds = plan.bounds();
        List<@Nullable Scalar> equal = bounds.equal();
        int columns = equal.size();
        for (int i = 0; i < columns; i++) {
            if (!fillEqual(i, equal.get(i))) {
                return false;
            }
        }
        if (columns > 0) {
            range.from(columns, true);
            range.to(columns, true);
        }
        return !bounds.ranged() || (fillLower(columns, bounds) && fillUpper(columns, bounds));
    }

    private boolean fillEqual(int i, @Nullable Scalar value) {
        if (value == null) {
            range.lower().setNull(i);
            range.upper().setNull(i);
            return true;
        }
        if (!value.store(range.lower(), i, frame)) {
            return false;
        }
        Type type = column(i).type();
        range.upper().copy(i, range.lower(), i, type.shape());
        return true;
    }

    private boolean fillLower(int i, Plan.Bounds bounds) {
        Plan.Edge edge = bounds.lower();
        if (edge == null) {
            return true;
        }
        range.from(i + 1, edge.inclusive());
        return edge.value().store(range.lower(), i, frame);
    }

    private boolean fillUpper(int i, Plan.Bounds bounds) {
        Plan.Edge edge = bounds.upper();
        if (edge != null) {
            range.to(i + 1, edge.inclusive());
            return edge.value().store(range.upper(), i, frame);
        }
        if (column(i).nullable()) {
            // NULL sorts after every value, and no range holds it.
            range.upper().setNull(i);
            range.to(i + 1, false);
        }
        return true;
    }

    private Column column(int i) {
        return plan.table().columns().get(plan.keyColumns().get(i));
    }
}
