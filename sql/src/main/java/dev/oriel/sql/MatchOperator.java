package dev.oriel.sql;

import dev.oriel.table.Row;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// INTERSECT and EXCEPT: counts the rows of its second input in a hash table in memory, then
/// passes on rows of the first. Without ALL each row is passed on once.
final class MatchOperator implements Operator {
    private final Operator first;
    private final Operator second;
    private final boolean among;
    private final boolean all;
    private final RowKey probe;
    private final Map<RowKey, Count> counts = new HashMap<>();
    private boolean counted;

    MatchOperator(Operator first, Operator second, Plan.Match plan) {
        this.first = first;
        this.second = second;
        this.among = plan.among();
        this.all = plan.all();
        this.probe = new RowKey(plan.types());
    }

    /// How often a row of the second input is still there, and whether it was passed on.
    private static final class Count {
        private long left;
        private boolean passed;
    }

    @Override
    public void open() {
        counts.clear();
        counted = false;
    }

    @Override
    public boolean next() {
        if (!counted) {
            count();
        }
        while (first.next()) {
            probe.set(first.row());
            Count count = counts.get(probe);
            if (all ? passesAll(count) : passesOnce(count)) {
                return true;
            }
        }
        return false;
    }

    private void count() {
        second.open();
        while (second.next()) {
            probe.set(second.row());
            counted().left++;
        }
        second.close();
        first.open();
        counted = true;
    }

    private Count counted() {
        Count count = counts.get(probe);
        if (count == null) {
            count = new Count();
            counts.put(probe.copy(), count);
        }
        return count;
    }

    private boolean passesAll(@Nullable Count count) {
        boolean found = count != null && count.left > 0;
        if (count != null && found) {
            count.left--;
        }
        return found == among;
    }

    private boolean passesOnce(@Nullable Count count) {
        if ((count != null && count.left > 0) != among) {
            return false;
        }
        Count known = count == null ? counted() : count;
        boolean passes = !known.passed;
        known.passed = true;
        return passes;
    }

    @Override
    public Row row() {
        return first.row();
    }

    @Override
    public void close() {
        counts.clear();
        first.close();
        second.close();
    }
}
