package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.RowSorter;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;

/// Sorts its input, see [RowSorter]. Below a LIMIT it keeps no more rows than needed, or twice as many.
final class SortOperator implements Operator {
    private final Operator input;
    private final Execution execution;
    private final QueryMemory.Share share;
    private final RowSorter sorter;
    private final CurrentRow row = new CurrentRow();
    private long keep = Long.MAX_VALUE;
    private boolean sorted;

    SortOperator(Operator input, List<Type> types, List<SortKey> keys, Execution execution) {
        this.input = input;
        this.execution = execution;
        this.share = execution.memory().share();
        this.sorter =
                new RowSorter(
                        execution.cancellation(),
                        share,
                        Typing.shapes(types),
                        new RowOrder(keys, types));
    }

    /// Makes this a top-N sort; to be called before `open`.
    void keep(long rowsWanted) {
        keep = rowsWanted;
    }

    @Override
    public void open() {
        sorter.clear();
        share.begin();
        sorter.keep(keep);
        sorted = false;
        input.open();
    }

    @Override
    public boolean next() {
        execution.poll();
        if (!sorted) {
            sort();
        }
        Tuple next = sorter.next();
        if (next == null) {
            return false;
        }
        row.set(next);
        return true;
    }

    private void sort() {
        while (keep > 0 && input.next()) {
            sorter.add(input.row());
        }
        sorter.sort();
        sorted = true;
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

    @Override
    public void close() {
        sorter.clear();
        input.close();
    }
}
