package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Computes window functions: stores all rows of its input, sorts them once for each different order that the
/// windows need, and returns them in input order. Beyond the budget a [SpilledWindow] takes over. If the budget is
/// exceeded only while values are computed, the computation restarts in it.
final class WindowOperator implements Operator {
    /// Bytes that a sort needs for a row in addition to the row and its sort keys.
    private static final int SORT_BYTES = 128;

    private final Operator input;
    private final Execution execution;
    private final QueryMemory.Share share;
    private final Type.Shape[] shapes;
    private final List<Type> types;
    private final int width;
    private final List<WindowSort> sorts = new ArrayList<>();
    private final long sortBytes;
    private final CurrentRow row = new CurrentRow();
    private List<Tuple> rows = new ArrayList<>();
    private long held;
    private @Nullable SpilledWindow spilled;
    private boolean computed;
    private int next;

    WindowOperator(Operator input, Plan.Window plan, Execution execution) {
        this.input = input;
        this.execution = execution;
        this.share = execution.memory().share();
        this.shapes = Typing.shapes(plan.input().types());
        this.types = plan.types();
        this.width = types.size();
        for (int i = 0; i < plan.calls().size(); i++) {
            WindowCall call = plan.calls().get(i);
            sort(call).add(call, shapes.length + i);
        }
        int keys = sorts.stream().mapToInt(sort -> sort.scalars().length).max().orElse(0);
        this.sortBytes = SORT_BYTES + 12L * (keys + plan.calls().size());
    }

    private WindowSort sort(WindowCall call) {
        for (WindowSort sort : sorts) {
            if (sort.window().sortsLike(call.window())) {
                return sort;
            }
        }
        WindowSort sort = new WindowSort(call.window(), execution);
        sorts.add(sort);
        return sort;
    }

    @Override
    public void open() {
        clear();
        share.begin();
        computed = false;
        next = 0;
        input.open();
    }

    @Override
    public boolean next() {
        execution.poll();
        if (!computed) {
            collect();
            computed = true;
        }
        if (spilled != null) {
            Tuple found = spilled.next();
            if (found != null) {
                row.set(found);
            }
            return found != null;
        }
        if (next == rows.size()) {
            return false;
        }
        row.set(rows.get(next++));
        return true;
    }

    private void collect() {
        while (input.next()) {
            Tuple copy = new Tuple(width);
            for (int i = 0; i < shapes.length; i++) {
                copy.copy(i, input.row(), i, shapes[i]);
            }
            if (spilled != null) {
                spilled.add(copy);
                continue;
            }
            rows.add(copy);
            long bytes = sortBytes + RowCodec.memoryBytes(copy, shapes);
            held += bytes;
            if (share.add(bytes, held)) {
                putAside();
            }
        }
        if (spilled != null) {
            spilled.compute();
            return;
        }
        for (WindowSort sort : sorts) {
            if (!sort.compute(rows, this::isTooMuch)) {
                putAside().compute();
                return;
            }
        }
        long sorting = SORT_BYTES * (long) rows.size();
        held -= sorting;
        share.take(sorting);
    }

    /// Counts a computed value; returns whether the rows must be spilled.
    private boolean isTooMuch(long bytes) {
        held += bytes;
        return share.add(bytes, held);
    }

    private SpilledWindow putAside() {
        SpilledWindow to = new SpilledWindow(execution, share, sorts, types);
        spilled = to;
        share.take(held);
        held = 0;
        for (Tuple kept : rows) {
            for (int i = shapes.length; i < width; i++) {
                kept.setNull(i); // it may have been computed, and is computed again
            }
            to.add(kept);
        }
        rows = new ArrayList<>();
        return to;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public long memoryBytes() {
        return share.most();
    }

    @Override
    public long putAsideBytes() {
        return share.putAside();
    }

    private void clear() {
        rows = new ArrayList<>();
        share.take(held);
        held = 0;
        sorts.forEach(WindowSort::clear);
        if (spilled != null) {
            spilled.clear();
            spilled = null;
        }
    }

    @Override
    public void close() {
        clear();
        input.close();
    }
}
