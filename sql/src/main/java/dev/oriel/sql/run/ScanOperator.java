package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScanTests;
import dev.oriel.sql.rows.KeyRanges;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.store.Slice;
import dev.oriel.table.RowCursor;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.row.RowTests;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a table by a key: fills a [KeyRange] from the plan's bounds, and moves the cursor over it. Several ranges
/// are read one after the other, in key order and without overlaps. So are the values of a subquery, if there are
/// few.
public final class ScanOperator implements Operator {
    private final Plan.Scan plan;
    private final Execution execution;
    private final RowCursor cursor;
    private final KeyRange range;
    private final Frame frame;
    private final @Nullable KeyRanges several;
    private final Type.@Nullable Shape amongShape;
    private final @Nullable RowTests tests;

    /// The tests as an expression, for rows that they cannot decide.
    private final @Nullable Scalar tested;

    private final Frame testedFrame;
    private boolean empty;
    private int next;

    public ScanOperator(Plan.Scan plan, Execution execution) {
        this(plan, execution, new Tuple(0));
    }

    /// @param outer the row that the bounds are evaluated on
    public ScanOperator(Plan.Scan plan, Execution execution, Row outer) {
        this(plan, execution, outer, null);
    }

    /// A scan of the rows for which `tests` hold.
    ///
    /// @param outer in a join the wide row, which the tests refer to as well; else they refer to the table's row
    ScanOperator(Plan.Scan plan, Execution execution, Row outer, @Nullable ScanTests tests) {
        this.plan = plan;
        this.execution = execution;
        this.cursor = execution.transaction().cursor(plan.table(), plan.index());
        this.range = new KeyRange(plan.keyColumns().size());
        this.frame = new Frame(execution, outer);
        List<Type> types = new ArrayList<>();
        for (int i = 0; i < plan.keyColumns().size(); i++) {
            types.add(plan.keyType(i));
        }
        boolean one = plan.choices().isEmpty() && plan.among() == null;
        this.several =
                one
                        ? null
                        : new KeyRanges(
                                types,
                                plan.index() == null ? List.of() : plan.index().entryOrders());
        this.tests = tests == null ? null : tests.tests();
        this.tested = tests == null ? null : tests.tested();
        this.testedFrame = outer instanceof WideRow ? frame : new Frame(execution, cursor);
        this.amongShape = plan.among() == null ? null : types.getFirst().shape();
    }

    @Override
    public void open() {
        if (several != null) {
            several.clear();
            next = 0;
        }
        if (several != null && (amongShape == null || look(several, amongShape))) {
            for (Plan.Bounds choice : plan.choices()) {
                KeyRange free = several.free();
                if (fill(choice, free)) {
                    several.add();
                }
            }
            several.merge();
            empty = !openNext();
            return;
        }
        empty = !fill(plan.bounds(), range);
        if (!empty) {
            cursor.open(execution.transaction(), range, plan.descending(), tests);
        }
    }

    /// Adds a range for each row of the subquery; adds none and returns false if there are too many.
    private boolean look(KeyRanges into, Type.Shape shape) {
        Plan.Among among = plan.among();
        return among != null
                && execution
                        .subquery(among.query())
                        .eachKept(
                                frame,
                                among.most(),
                                row -> {
                                    KeyRange free = into.free();
                                    free.open();
                                    free.lower().copy(0, row, 0, shape);
                                    free.upper().copy(0, row, 0, shape);
                                    free.from(1, true);
                                    free.to(1, true);
                                    into.add();
                                });
    }

    private boolean openNext() {
        if (several == null || next == several.count()) {
            return false;
        }
        int position = plan.descending() ? several.count() - 1 - next : next;
        cursor.open(execution.transaction(), several.range(position), plan.descending(), tests);
        next++;
        return true;
    }

    @Override
    public boolean next() {
        execution.poll();
        while (!empty) {
            if (!cursor.next()) {
                empty = !openNext();
            } else if (!cursor.isUndecided()
                    || tested == null
                    || tested.evalTruth(testedFrame) == 1) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Row row() {
        return cursor;
    }

    /// Points `out` at the key of the row.
    public void rowKey(Slice out) {
        cursor.rowKey(out);
    }

    @Override
    public void close() {
        empty = true;
        cursor.leave();
    }

    /// Evaluates `bounds` into `out`; false if the range is empty.
    private boolean fill(Plan.Bounds bounds, KeyRange out) {
        out.open();
        List<@Nullable Scalar> equal = bounds.equal();
        int columns = equal.size();
        for (int i = 0; i < columns; i++) {
            if (!fillEqual(i, equal.get(i), out)) {
                return false;
            }
        }
        if (columns > 0) {
            out.from(columns, true);
            out.to(columns, true);
        }
        if (!bounds.ranged()) {
            return true;
        }
        KeyOrder order = plan.keyOrder(columns);
        Plan.Edge low = order.descending() ? bounds.upper() : bounds.lower();
        Plan.Edge high = order.descending() ? bounds.lower() : bounds.upper();
        return fillLower(columns, low, order, out) && fillUpper(columns, high, order, out);
    }

    private boolean fillEqual(int i, @Nullable Scalar value, KeyRange out) {
        if (value == null) {
            out.lower().setNull(i);
            out.upper().setNull(i);
            return true;
        }
        if (!value.store(out.lower(), i, frame)) {
            return false;
        }
        out.upper().copy(i, out.lower(), i, plan.keyType(i).shape());
        return true;
    }

    private boolean fillLower(int i, Plan.@Nullable Edge edge, KeyOrder order, KeyRange out) {
        if (edge != null) {
            out.from(i + 1, edge.inclusive());
            return edge.value().store(out.lower(), i, frame);
        }
        if (order.nullsFirst() && plan.keyNullable(i)) {
            out.lower().setNull(i); // no range holds NULL
            out.from(i + 1, false);
        }
        return true;
    }

    private boolean fillUpper(int i, Plan.@Nullable Edge edge, KeyOrder order, KeyRange out) {
        if (edge != null) {
            out.to(i + 1, edge.inclusive());
            return edge.value().store(out.upper(), i, frame);
        }
        if (!order.nullsFirst() && plan.keyNullable(i)) {
            // NULL sorts after every value, and no range holds it.
            out.upper().setNull(i);
            out.to(i + 1, false);
        }
        return true;
    }
}
