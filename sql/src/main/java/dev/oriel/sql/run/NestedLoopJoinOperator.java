package dev.oriel.sql.run;

import dev.oriel.sql.plan.Join;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.table.value.Row;

/// Reads its inner input again for each row of the outer one, whose columns bound it.
final class NestedLoopJoinOperator implements Operator {
    private final Operator outer;
    private final Operator inner;
    private final boolean left;
    private final int[] innerSlots;
    private final WideRow wide;
    private boolean inside;
    private boolean matched;

    NestedLoopJoinOperator(Operator outer, Operator inner, Join.Loop plan, WideRow wide) {
        this.outer = outer;
        this.inner = inner;
        this.left = plan.left();
        this.innerSlots = plan.slots().stream().mapToInt(Integer::intValue).toArray();
        this.wide = wide;
    }

    @Override
    public void open() {
        inside = false;
        outer.open();
    }

    @Override
    public boolean next() {
        while (true) {
            if (!inside) {
                if (!outer.next()) {
                    return false;
                }
                inner.open();
                inside = true;
                matched = false;
            }
            if (inner.next()) {
                matched = true;
                return true;
            }
            inside = false;
            if (left && !matched) {
                wide.clear(innerSlots);
                return true;
            }
        }
    }

    @Override
    public Row row() {
        return wide;
    }

    @Override
    public void close() {
        inner.close();
        outer.close();
    }
}
