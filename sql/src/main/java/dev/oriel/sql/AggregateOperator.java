package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Groups its input in a hash table in memory, and returns the groups in the order in which they
/// appeared. Without keys there is one group, even of no rows, and nothing is kept but its state.
final class AggregateOperator implements Operator {
    private final Operator input;
    private final Plan.Aggregate plan;
    private final Frame frame;
    private final RowKey probe;
    private final Map<RowKey, Accumulator[]> groups = new LinkedHashMap<>();
    private final Tuple row;
    private @Nullable Iterator<Map.Entry<RowKey, Accumulator[]>> results;

    AggregateOperator(Operator input, Plan.Aggregate plan, Execution execution) {
        this.input = input;
        this.plan = plan;
        this.frame = new Frame(execution, input.row());
        this.probe = new RowKey(plan.keys().stream().map(Scalar::type).toList());
        this.row = new Tuple(plan.keys().size() + plan.calls().size());
    }

    @Override
    public void open() {
        groups.clear();
        results = null;
        input.open();
    }

    @Override
    public boolean next() {
        Iterator<Map.Entry<RowKey, Accumulator[]>> iterator = results;
        if (iterator == null) {
            collect();
            iterator = groups.entrySet().iterator();
            results = iterator;
        }
        if (!iterator.hasNext()) {
            return false;
        }
        Map.Entry<RowKey, Accumulator[]> group = iterator.next();
        int keys = plan.keys().size();
        for (int i = 0; i < keys; i++) {
            row.copy(i, group.getKey().values(), i, plan.keys().get(i).type().shape());
        }
        Accumulator[] states = group.getValue();
        for (int i = 0; i < states.length; i++) {
            states[i].result(row, keys + i);
        }
        return true;
    }

    private void collect() {
        Accumulator @Nullable [] only = null;
        if (plan.keys().isEmpty()) {
            only = states();
            probe.rehash();
            groups.put(probe.copy(), only);
        }
        while (input.next()) {
            for (Accumulator state : only == null ? group() : only) {
                state.add(frame);
            }
        }
    }

    /// The states of the group that the row belongs to.
    private Accumulator[] group() {
        for (int i = 0; i < plan.keys().size(); i++) {
            plan.keys().get(i).store(probe.values(), i, frame);
        }
        probe.rehash();
        Accumulator[] states = groups.get(probe);
        if (states == null) {
            states = states();
            groups.put(probe.copy(), states);
        }
        return states;
    }

    private Accumulator[] states() {
        Accumulator[] states = new Accumulator[plan.calls().size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = Accumulator.of(plan.calls().get(i));
        }
        return states;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public long memoryBytes() {
        return Operator.rowBytes(groups.size(), plan.keys().size() + 4 * plan.calls().size());
    }

    @Override
    public void close() {
        groups.clear();
        results = null;
        input.close();
    }
}
