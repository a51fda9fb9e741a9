package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import java.util.List;

/// Passes on each row once, at its first occurrence. Keeps the distinct rows.
final class DistinctOperator implements Operator {
    private final Operator input;
    private final RowKey probe;
    private final QueryMemory.Share share;
    private final KeySet seen;

    DistinctOperator(Operator input, List<Type> types, Execution execution) {
        this.input = input;
        this.probe = new RowKey(types);
        this.share = execution.memory().share();
        this.seen = new KeySet(execution.cancellation(), share, types);
    }

    @Override
    public void open() {
        seen.clear();
        share.begin();
        input.open();
    }

    @Override
    public boolean next() {
        while (input.next()) {
            probe.set(input.row());
            if (seen.add(probe)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Row row() {
        return input.row();
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
        seen.clear();
        input.close();
    }
}
