package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.RowSorter;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Window functions over more rows than the budget allows. The rows are sorted for one [WindowSort] after the
/// other; each adds its results to them partition by partition. At last they are sorted back into input order.
///
/// ```
/// row   columns of the input, one for each function | its place | keys of the next sort
/// ```
final class SpilledWindow {
    private final Execution execution;
    private final QueryMemory.Share share;
    private final List<WindowSort> sorts;
    private final List<Type> types;
    private final int width;
    private final CurrentRow current = new CurrentRow();
    private final Frame frame;
    private final List<Type.Shape[]> shapes = new ArrayList<>();
    private RowSorter sorter;
    private @Nullable SpilledPartition partition;
    private long places;
    private int stage;

    /// @param types of the columns of the input and of the functions
    SpilledWindow(
            Execution execution,
            QueryMemory.Share share,
            List<WindowSort> sorts,
            List<Type> types) {
        this.execution = execution;
        this.share = share;
        this.sorts = sorts;
        this.types = types;
        this.width = types.size();
        this.frame = new Frame(execution, current);
        for (int i = 0; i <= sorts.size(); i++) {
            shapes.add(types(i).stream().map(Type::shape).toArray(Type.Shape[]::new));
        }
        this.sorter = sorter(0);
    }

    private List<Type> types(int of) {
        List<Type> all = new ArrayList<>(types);
        all.add(Typing.BIGINT);
        if (of < sorts.size()) {
            all.addAll(sorts.get(of).types());
        }
        return all;
    }

    /// The sorter for window number `of`; after the last window, the sorter by position.
    private RowSorter sorter(int of) {
        List<SortKey> order = new ArrayList<>();
        if (of < sorts.size()) {
            order.addAll(sorts.get(of).partitionKeys(width + 1));
            order.addAll(sorts.get(of).orderKeys(width + 1));
        }
        order.add(new SortKey(width, false, false));
        return new RowSorter(
                execution.cancellation(), share, shapes.get(of), new RowOrder(order, types(of)));
    }

    /// Adds a row.
    void add(Row row) {
        Tuple copy = new Tuple(shapes.getFirst().length);
        for (int i = 0; i < width; i++) {
            copy.copy(i, row, i, shapes.getFirst()[i]);
        }
        copy.setLong(width, places++);
        hand(copy, 0, sorter);
    }

    /// Adds `row` to the sorter for window number `of`.
    private void hand(Tuple row, int of, RowSorter to) {
        if (of < sorts.size()) {
            current.set(row);
            Scalar[] scalars = sorts.get(of).scalars();
            for (int i = 0; i < scalars.length; i++) {
                scalars[i].store(row, width + 1 + i, frame);
            }
        }
        to.take(row);
    }

    /// Computes all functions.
    void compute() {
        for (stage = 0; stage < sorts.size(); stage++) {
            compute(sorts.get(stage));
        }
        sorter.sort();
    }

    private void compute(WindowSort sort) {
        sorter.sort();
        List<Type> all = types(stage);
        RowOrder partitions = new RowOrder(sort.partitionKeys(width + 1), all);
        RowOrder peers = new RowOrder(sort.orderKeys(width + 1), all);
        int frames = sort.steps().size();
        SpilledPartition rows =
                new SpilledPartition(execution, share, shapes.get(stage), peers, width + 1, frames);
        partition = rows;
        RowSorter to = sorter(stage + 1);
        for (Tuple row = sorter.next(); row != null; row = sorter.next()) {
            execution.poll();
            Tuple last = rows.last();
            if (last != null && partitions.compareRows(last, row) != 0) {
                compute(sort, rows, to);
            }
            rows.add(row);
        }
        compute(sort, rows, to);
        sorter.clear();
        sorter = to;
    }

    private void compute(WindowSort sort, SpilledPartition rows, RowSorter to) {
        rows.complete();
        for (WindowStep step : sort.steps()) {
            step.start(rows);
        }
        Type.Shape[] next = shapes.get(stage + 1);
        for (int i = 0; i < rows.count(); i++) {
            execution.poll();
            Tuple out = new Tuple(next.length);
            Row row = rows.row(i);
            for (int column = 0; column <= width; column++) {
                out.copy(column, row, column, next[column]);
            }
            for (WindowStep step : sort.steps()) {
                step.at(i, out);
            }
            hand(out, stage + 1, to);
        }
        for (WindowStep step : sort.steps()) {
            step.end();
        }
        rows.clear();
    }

    /// The next row in input order; null at the end.
    @Nullable Tuple next() {
        return sorter.next();
    }

    void clear() {
        sorter.clear();
        if (partition != null) {
            partition.clear();
            partition = null;
        }
    }
}
