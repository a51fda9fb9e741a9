package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Groups its input in a hash table in memory, and returns the groups in the order in which they
/// appeared; of GROUPING SETS one set after the other, each with a table of its own. Without keys
/// there is one group, even of no rows, and nothing is kept but its state.
final class AggregateOperator implements Operator {
    private final Operator input;
    private final Plan.Aggregate plan;
    private final Frame frame;
    private final RowKey probe;
    private final List<Map<RowKey, Accumulator[]>> tables = new ArrayList<>();

    /// For each set and key whether the key is in the set; null where there is one set, of all.
    private final boolean @Nullable [][] within;

    private final Tuple values;
    private final Tuple row;
    private int set;
    private @Nullable Iterator<Map.Entry<RowKey, Accumulator[]>> results;

    AggregateOperator(Operator input, Plan.Aggregate plan, Execution execution) {
        this.input = input;
        this.plan = plan;
        this.frame = new Frame(execution, input.row());
        this.probe = new RowKey(plan.keys().stream().map(Scalar::type).toList());
        int keys = plan.keys().size();
        this.values = new Tuple(keys);
        this.row = new Tuple(plan.types().size());
        int sets = Math.max(plan.sets().size(), 1);
        for (int i = 0; i < sets; i++) {
            tables.add(new LinkedHashMap<>());
        }
        this.within = plan.sets().isEmpty() ? null : new boolean[sets][keys];
        if (within != null) {
            for (int i = 0; i < sets; i++) {
                for (int key : plan.sets().get(i)) {
                    within[i][key] = true;
                }
            }
        }
    }

    @Override
    public void open() {
        tables.forEach(Map::clear);
        results = null;
        set = 0;
        input.open();
    }

    @Override
    public boolean next() {
        Iterator<Map.Entry<RowKey, Accumulator[]>> iterator = results;
        if (iterator == null) {
            collect();
            iterator = tables.getFirst().entrySet().iterator();
        }
        while (!iterator.hasNext()) {
            if (++set >= tables.size()) {
                set = tables.size();
                results = iterator;
                return false;
            }
            iterator = tables.get(set).entrySet().iterator();
        }
        results = iterator;
        Map.Entry<RowKey, Accumulator[]> group = iterator.next();
        int keys = plan.keys().size();
        for (int i = 0; i < keys; i++) {
            row.copy(i, group.getKey().values(), i, plan.keys().get(i).type().shape());
        }
        if (within != null) {
            row.setLong(keys++, set);
        }
        Accumulator[] states = group.getValue();
        for (int i = 0; i < states.length; i++) {
            states[i].result(row, keys + i);
        }
        return true;
    }

    private void collect() {
        Accumulator @Nullable [] only = null;
        for (int i = 0; i < tables.size(); i++) {
            if (within == null ? plan.keys().isEmpty() : plan.sets().get(i).isEmpty()) {
                Accumulator[] states = group(i);
                only = within == null ? states : null;
            }
        }
        while (input.next()) {
            if (only != null) {
                add(only);
                continue;
            }
            for (int i = 0; i < plan.keys().size(); i++) {
                plan.keys().get(i).store(values, i, frame);
            }
            for (int i = 0; i < tables.size(); i++) {
                add(group(i));
            }
        }
    }

    private void add(Accumulator[] states) {
        for (Accumulator state : states) {
            state.add(frame);
        }
    }

    /// The states of the group of set `i` that `values` belong to.
    private Accumulator[] group(int i) {
        for (int key = 0; key < plan.keys().size(); key++) {
            if (within == null || within[i][key]) {
                probe.values().copy(key, values, key, plan.keys().get(key).type().shape());
            } else {
                probe.values().setNull(key);
            }
        }
        probe.rehash();
        Map<RowKey, Accumulator[]> groups = tables.get(i);
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
        long groups = 0;
        for (Map<RowKey, Accumulator[]> table : tables) {
            groups += table.size();
        }
        return Operator.rowBytes(groups, plan.keys().size() + 4 * plan.calls().size());
    }

    @Override
    public void close() {
        tables.forEach(Map::clear);
        results = null;
        input.close();
    }
}
