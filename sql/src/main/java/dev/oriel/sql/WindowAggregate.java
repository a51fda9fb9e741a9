package dev.oriel.sql;

import dev.oriel.sql.WindowSort.Partition;
import dev.oriel.table.Tuple;
import java.util.Objects;

/// An aggregate over the frame of each row. Where the frame only grows, or its aggregate can take
/// rows out again, each row is taken in once a partition; else the frame is aggregated anew
/// whenever it is another one.
final class WindowAggregate extends WindowStep {
    private final AggregateCall aggregate;
    private final FrameBounds bounds;
    private final Tuple result = new Tuple(1);
    private Accumulator state;
    private int low;
    private int high;

    WindowAggregate(WindowCall call, int column, int firstKey, Execution execution) {
        super(call, column, execution);
        this.aggregate = Objects.requireNonNull(call.aggregate());
        this.bounds = new FrameBounds(call, firstKey, frame);
        this.state = Accumulator.of(aggregate);
    }

    @Override
    void compute(Partition partition) {
        bounds.start(partition);
        restart(0);
        boolean fresh = true;
        for (int i = 0; i < partition.count(); i++) {
            execution.poll();
            bounds.at(i);
            if (bounds.excludes()) {
                anew(partition);
                fresh = true;
            } else if (fresh || bounds.low() != low || bounds.high() != high) {
                move(partition);
                fresh = false;
            } else {
                copy(partition.row(i));
                continue;
            }
            state.result(result, 0);
            copy(partition.row(i));
        }
    }

    private void copy(Tuple row) {
        row.copy(column, result, 0, aggregate.type().shape());
    }

    private void restart(int at) {
        state = Accumulator.of(aggregate);
        low = at;
        high = at;
    }

    private void add(Partition partition, int i) {
        current.set(partition.row(i));
        state.add(frame);
    }

    /// Aggregates what the frame holds without what it excludes.
    private void anew(Partition partition) {
        restart(bounds.low());
        for (int i = bounds.low(); i < bounds.high(); i++) {
            if (!bounds.excluded(i)) {
                add(partition, i);
            }
        }
    }

    /// Moves to the new frame.
    private void move(Partition partition) {
        int newLow = bounds.low();
        int newHigh = Math.max(bounds.high(), newLow);
        boolean ahead = newLow >= low && newHigh >= high && newLow <= high;
        if (!ahead || (newLow > low && !state.removes())) {
            restart(newLow);
        }
        while (high < newHigh) {
            add(partition, high++);
        }
        while (low < newLow) {
            current.set(partition.row(low++));
            state.remove(frame);
        }
    }
}
