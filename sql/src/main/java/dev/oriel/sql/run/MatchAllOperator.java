package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.RowSorter;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// INTERSECT ALL and EXCEPT ALL: counts the rows of the second input in a hash table. Each row of the first input
/// consumes one equal row, if any is left. Passes on the rows that could do so, or the others. If none can pass, the
/// first input is not read.
///
/// If the counts exceed the budget, both inputs are sorted and merged, and the result is sorted back into the
/// order of the first input.
final class MatchAllOperator implements Operator {
    private static final int ENTRY_BYTES = 120;

    private final Operator first;
    private final Operator second;
    private final boolean among;
    private final Type.Shape[] shapes;
    private final int width;
    private final Execution execution;
    private final QueryMemory.Share share;
    private final RowKey probe;
    private final RowOrder order;
    private final CurrentRow row = new CurrentRow();
    private Map<RowKey, Count> counts = new HashMap<>();
    private long held;
    private boolean counted;

    /// Whether nothing passes.
    private boolean nothing;

    /// Sorters of spilled counts, of rows of the first input with their positions, and of the rows that pass.
    private final RowSorter others;

    private final RowSorter firsts;
    private final RowSorter passing;
    private boolean putAside;

    MatchAllOperator(Operator first, Operator second, Plan.Match plan, Execution execution) {
        this.first = first;
        this.second = second;
        this.among = plan.among();
        this.execution = execution;
        this.share = execution.memory().share();
        List<Type> types = plan.types();
        this.probe = new RowKey(types);
        this.width = types.size();
        List<Type> wider = new ArrayList<>(types);
        wider.add(Typing.BIGINT);
        this.shapes = Typing.shapes(wider);
        List<SortKey> keys = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            keys.add(new SortKey(i, false, false));
        }
        this.order = new RowOrder(keys, wider);
        RowOrder place = new RowOrder(List.of(new SortKey(width, false, false)), wider);
        this.others = new RowSorter(execution.cancellation(), share, shapes, order);
        this.firsts = new RowSorter(execution.cancellation(), share, shapes, order);
        this.passing = new RowSorter(execution.cancellation(), share, shapes, place);
    }

    /// Number of equal rows left to consume.
    private static final class Count {
        private long left;
    }

    @Override
    public void open() {
        clear();
        share.begin();
        counted = false;
        putAside = false;
    }

    @Override
    public boolean next() {
        execution.poll();
        if (!counted) {
            count();
        }
        if (putAside) {
            Tuple next = passing.next();
            if (next != null) {
                row.set(next);
            }
            return next != null;
        }
        while (!nothing && first.next()) {
            probe.set(first.row());
            Count count = counts.get(probe);
            boolean found = count != null && count.left > 0;
            if (count != null && found) {
                count.left--;
            }
            if (found == among) {
                return true;
            }
        }
        return false;
    }

    private void count() {
        second.open();
        while (second.next()) {
            probe.set(second.row());
            Count count = counts.get(probe);
            if (count == null) {
                count = new Count();
                RowKey key = probe.copy();
                counts.put(key, count);
                long bytes = ENTRY_BYTES + RowCodec.memoryBytes(key.values(), probe.shapes());
                held += bytes;
                count.left++;
                if (share.add(bytes, held)) {
                    putCountsAside();
                }
            } else {
                count.left++;
            }
        }
        second.close();
        counted = true;
        nothing = among && counts.isEmpty() && !putAside;
        if (nothing) {
            return;
        }
        first.open();
        row.set(first.row());
        if (putAside) {
            putCountsAside();
            match();
        }
    }

    private void putCountsAside() {
        putAside = true;
        for (Map.Entry<RowKey, Count> entry : counts.entrySet()) {
            execution.poll();
            others.take(wider(entry.getKey().values(), entry.getValue().left));
        }
        forgetCounts();
    }

    private void forgetCounts() {
        counts = counts.isEmpty() ? counts : new HashMap<>();
        share.take(held);
        held = 0;
    }

    private Tuple wider(Row of, long last) {
        Tuple wider = new Tuple(width + 1);
        for (int i = 0; i < width; i++) {
            wider.copy(i, of, i, shapes[i]);
        }
        wider.setLong(width, last);
        return wider;
    }

    /// Merges both sorted inputs.
    private void match() {
        others.sort();
        for (long place = 0; first.next(); place++) {
            firsts.take(wider(first.row(), place));
        }
        firsts.sort();
        Tuple other = others.next();
        Tuple group = new Tuple(width + 1);
        boolean begun = false;
        long left = 0;
        for (Tuple next = firsts.next(); next != null; next = firsts.next()) {
            execution.poll();
            if (!begun || order.compareRows(group, next) != 0) {
                begun = true;
                group = wider(next, 0);
                left = 0;
                while (other != null && order.compareRows(other, group) < 0) {
                    other = others.next();
                }
                while (other != null && order.compareRows(other, group) == 0) {
                    left += other.longAt(width);
                    other = others.next();
                }
            }
            boolean found = left > 0;
            left -= found ? 1 : 0;
            if (found == among) {
                passing.add(next);
            }
        }
        others.clear();
        firsts.clear();
        passing.sort();
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
        forgetCounts();
        others.clear();
        firsts.clear();
        passing.clear();
    }

    @Override
    public void close() {
        clear();
        first.close();
        second.close();
    }
}
