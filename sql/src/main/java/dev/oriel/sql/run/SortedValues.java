package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.PolledOrder;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.RowSorter;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of one group for an aggregate with an order of its own. In memory it may be read again and again while
/// rows are added, as a window does. If the share allows spilling, a [RowSorter] spills rows on demand, and the
/// rows are read once.
final class SortedValues {
    private final Execution execution;
    private final QueryMemory.Share share;
    private final Type.Shape[] shapes;
    private final RowOrder order;
    private final PolledOrder polled;
    private List<Tuple> rows = new ArrayList<>();
    private long held;
    private long count;
    private @Nullable RowSorter sorter;
    private int next;

    SortedValues(Execution execution, QueryMemory.Share share, List<Type> types, RowOrder order) {
        this.execution = execution;
        this.share = share;
        this.shapes = Typing.shapes(types);
        this.order = order;
        this.polled = new PolledOrder(order, execution.cancellation());
    }

    long count() {
        return count;
    }

    /// Adds `row` itself.
    void add(Tuple row) {
        count++;
        if (sorter != null) {
            sorter.take(row);
            return;
        }
        rows.add(row);
        long bytes = RowCodec.memoryBytes(row, shapes);
        held += bytes;
        if (share.add(bytes, held)) {
            RowSorter to = new RowSorter(execution.cancellation(), share, shapes, order);
            share.take(held);
            held = 0;
            rows.forEach(to::take);
            rows = new ArrayList<>();
            sorter = to;
        }
    }

    /// Goes to before the first of the rows added so far.
    void sort() {
        next = 0;
        if (sorter != null) {
            sorter.sort();
        } else {
            rows.sort(polled);
        }
    }

    /// The next row in the order, good until the next call; null at the end.
    @Nullable Tuple next() {
        execution.poll();
        if (sorter != null) {
            return sorter.next();
        }
        return next == rows.size() ? null : rows.get(next++);
    }

    void clear() {
        share.take(held);
        held = 0;
        rows = new ArrayList<>();
        count = 0;
        if (sorter != null) {
            sorter.clear();
            sorter = null;
        }
    }
}
