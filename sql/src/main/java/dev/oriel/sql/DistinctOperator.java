package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Passes on each row once: the first time. Keeps those that it has passed on.
final class DistinctOperator implements Operator {
    private final Operator input;
    private final RowKey probe;
    private final Set<RowKey> seen = new HashSet<>();

    DistinctOperator(Operator input, List<Type> types) {
        this.input = input;
        this.probe = new RowKey(types);
    }

    @Override
    public void open() {
        seen.clear();
        input.open();
    }

    @Override
    public boolean next() {
        while (input.next()) {
            probe.set(input.row());
            if (!seen.contains(probe)) {
                seen.add(probe.copy());
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
        return Operator.rowBytes(seen.size(), 4);
    }

    @Override
    public void close() {
        seen.clear();
        input.close();
    }
}
