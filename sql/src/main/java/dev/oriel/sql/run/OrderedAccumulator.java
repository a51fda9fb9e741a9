package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;

/// An aggregate with ORDER BY: keeps its rows, and aggregates them in that order when the result is requested.
final class OrderedAccumulator implements Accumulator {
    private final AggregateCall call;
    private final QueryMemory.Share share;
    private final Scalar[] stored;
    private final List<Scalar> read = new ArrayList<>();
    private final SortedValues rows;

    OrderedAccumulator(AggregateCall call, Execution execution, QueryMemory.Share share) {
        this.call = call;
        this.share = share;
        List<Scalar> all = new ArrayList<>(call.arguments());
        List<SortKey> keys = new ArrayList<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            Scalar argument = call.arguments().get(i);
            read.add(new Scalar.ColumnRef(i, argument.type(), argument.nullable(), ""));
        }
        for (AggregateCall.SortTerm term : call.order()) {
            keys.add(new SortKey(all.size(), term.descending(), term.nullsFirst()));
            all.add(term.scalar());
        }
        List<Type> types = all.stream().map(Scalar::type).toList();
        this.stored = all.toArray(Scalar[]::new);
        this.rows = new SortedValues(execution, share, types, new RowOrder(keys, types));
    }

    @Override
    public void add(Frame frame) {
        Tuple row = new Tuple(stored.length);
        for (int i = 0; i < stored.length; i++) {
            stored[i].store(row, i, frame);
        }
        rows.add(row);
    }

    @Override
    public void result(Tuple out, int column) {
        rows.sort();
        Accumulator state = Accumulator.plain(call, read, share);
        CurrentRow current = new CurrentRow();
        Frame frame = Frame.alone(current);
        for (Tuple row = rows.next(); row != null; row = rows.next()) {
            current.set(row);
            state.add(frame);
        }
        state.result(out, column);
        state.close();
    }

    @Override
    public void close() {
        rows.clear();
    }
}
