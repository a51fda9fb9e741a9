package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.table.value.Row;

/// INTERSECT and EXCEPT: stores the rows of the second input, then passes on rows of the first that are among
/// them, or are not, each once. If none can be among them, the first input is not read.
final class MatchOperator implements Operator {
    private final Operator first;
    private final Operator second;
    private final boolean among;
    private final RowKey probe;
    private final QueryMemory.Share share;
    private final KeySet others;
    private final KeySet passed;
    private boolean collected;

    /// Whether nothing passes.
    private boolean nothing;

    MatchOperator(Operator first, Operator second, Plan.Match plan, Execution execution) {
        this.first = first;
        this.second = second;
        this.among = plan.among();
        this.probe = new RowKey(plan.types());
        this.share = execution.memory().share();
        this.others = new KeySet(execution.cancellation(), share, plan.types());
        this.passed = new KeySet(execution.cancellation(), share, plan.types());
    }

    /// The operator for `plan`.
    static Operator of(Operator first, Operator second, Plan.Match plan, Execution execution) {
        return plan.all()
                ? new MatchAllOperator(first, second, plan, execution)
                : new MatchOperator(first, second, plan, execution);
    }

    @Override
    public void open() {
        clear();
        share.begin();
        collected = false;
    }

    @Override
    public boolean next() {
        if (!collected) {
            collect();
        }
        while (!nothing && first.next()) {
            probe.set(first.row());
            if (others.contains(probe) == among && passed.add(probe)) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        second.open();
        while (second.next()) {
            probe.set(second.row());
            others.add(probe);
        }
        second.close();
        nothing = among && others.isEmpty();
        if (!nothing) {
            first.open();
        }
        collected = true;
    }

    @Override
    public Row row() {
        return first.row();
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
        others.clear();
        passed.clear();
    }

    @Override
    public void close() {
        clear();
        first.close();
        second.close();
    }
}
