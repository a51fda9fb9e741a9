package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.rows.PickedRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.RowSorter;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The groups of an aggregate beyond the memory budget. Their rows, reduced to the columns used, are sorted by
/// group, so that one group at a time is in memory. The results are sorted back into the order in which the groups
/// appeared.
final class AggregateGroups {
    /// Columns after the result columns: number of the set, then of the group's first row.
    private static final int PLACES = 2;

    private final Execution execution;
    private final Row input;
    private final RowKey like;

    /// Number of key columns; a row has the number of the set, its own number, keys and input columns.
    private final int keys;

    private final int[] columns;
    private final Type.Shape[] shapes;
    private final RowSorter rows;
    private final PickedRow picked;
    private final Frame frame;

    private final int width;
    private final RowSorter results;

    /// @param input current row of the aggregate's input
    /// @param like a sample of the group keys
    AggregateGroups(
            Plan.Aggregate plan,
            Execution execution,
            QueryMemory.Share share,
            Row input,
            RowKey like) {
        this.execution = execution;
        this.input = input;
        this.like = like;
        this.keys = plan.keys().size();
        BitSet used = new BitSet();
        plan.calls()
                .forEach(call -> call.scalars().forEach(scalar -> PlanParts.columns(scalar, used)));
        this.columns = used.stream().toArray();
        List<Type> inputs = plan.input().types();
        List<Type> types = new ArrayList<>(List.of(Typing.BIGINT, Typing.BIGINT));
        plan.keys().forEach(key -> types.add(key.type()));
        for (int column : columns) {
            types.add(inputs.get(column));
        }
        this.shapes = shapes(types);
        List<SortKey> order = new ArrayList<>(List.of(ascending(0)));
        for (int i = 0; i < keys; i++) {
            order.add(ascending(PLACES + i));
        }
        order.add(ascending(1));
        this.rows =
                new RowSorter(execution.cancellation(), share, shapes, new RowOrder(order, types));
        this.picked = new PickedRow(inputs.size());
        for (int i = 0; i < columns.length; i++) {
            picked.pick(columns[i], PLACES + keys + i);
        }
        this.frame = new Frame(execution, picked);
        List<Type> out = new ArrayList<>(plan.types());
        this.width = out.size();
        out.add(Typing.BIGINT);
        out.add(Typing.BIGINT);
        RowOrder places = new RowOrder(List.of(ascending(width), ascending(width + 1)), out);
        this.results = new RowSorter(execution.cancellation(), share, shapes(out), places);
    }

    private static SortKey ascending(int column) {
        return new SortKey(column, false, false);
    }

    private static Type.Shape[] shapes(List<Type> types) {
        return Typing.shapes(types);
    }

    /// The groups in memory.
    interface Found {
        /// Removes and returns the group with `key`; null if there is none.
        AggregateOperator.@Nullable Group remove(int set, RowKey key);

        /// An empty group whose first row is number `number`.
        AggregateOperator.Group empty(long number);

        /// Writes the result of `group` into `out`.
        void result(int set, Row key, AggregateOperator.Group group, Tuple out);
    }

    /// Stores the current input row as one of the group of `key` in `set`.
    void add(int set, long number, RowKey key) {
        Tuple row = new Tuple(shapes.length);
        row.setLong(0, set);
        row.setLong(1, number);
        for (int i = 0; i < keys; i++) {
            row.copy(PLACES + i, key.values(), i, shapes[PLACES + i]);
        }
        for (int i = 0; i < columns.length; i++) {
            int to = PLACES + keys + i;
            row.copy(to, input, columns[i], shapes[to]);
        }
        rows.take(row);
    }

    /// Stores the results of the groups of `set`.
    void finish(int set, Map<RowKey, AggregateOperator.Group> groups, Found found) {
        for (Map.Entry<RowKey, AggregateOperator.Group> group : groups.entrySet()) {
            execution.poll();
            emit(set, group.getKey().values(), group.getValue(), found);
        }
    }

    private void emit(int set, Row key, AggregateOperator.Group group, Found found) {
        Tuple out = new Tuple(width + PLACES);
        found.result(set, key, group, out);
        out.setLong(width, set);
        out.setLong(width + 1, group.number());
        results.take(out);
        group.close();
    }

    /// Aggregates the stored rows; rows of groups in memory are added to these.
    void work(Found found) {
        rows.sort();
        RowKey key = like.another();
        AggregateOperator.Group group = null;
        int set = -1;
        for (Tuple row = rows.next(); row != null; row = rows.next()) {
            execution.poll();
            if (group == null || set != row.longAt(0) || !key.isOf(row, PLACES)) {
                if (group != null) {
                    emit(set, key.values(), group, found);
                }
                set = (int) row.longAt(0);
                for (int i = 0; i < keys; i++) {
                    key.values().copy(i, row, PLACES + i, shapes[PLACES + i]);
                }
                key.rehash();
                group = found.remove(set, key);
                group = group == null ? found.empty(row.longAt(1)) : group;
            }
            picked.set(row);
            group.add(frame);
        }
        if (group != null) {
            emit(set, key.values(), group, found);
        }
        rows.clear();
    }

    /// Completes the results, which can be read now.
    void sort() {
        results.sort();
    }

    /// The next result; null at the end.
    @Nullable Tuple next() {
        return results.next();
    }

    void clear() {
        rows.clear();
        results.clear();
    }
}
