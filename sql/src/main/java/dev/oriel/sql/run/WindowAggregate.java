package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.table.value.Tuple;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An aggregate over the frame of each row. If the frame only grows, or the aggregate can remove rows, each row is
/// added once a partition; else each different frame is aggregated from scratch.
final class WindowAggregate extends WindowStep {
    private final AggregateCall aggregate;
    private final FrameBounds bounds;
    private final QueryMemory.Share share;

    /// Whether a row read again has the same values, so that removing it undoes adding it.
    private final boolean steady;

    /// Whether its results are texts or arrays that no row has.
    private final boolean makes;

    private long made;
    private final Tuple result = new Tuple(1);
    private @Nullable WindowPartition partition;
    private @Nullable Accumulator state;
    private boolean fresh;
    private int low;
    private int high;

    WindowAggregate(WindowCall call, int column, int firstKey, Execution execution) {
        super(call, column, execution);
        this.aggregate = Objects.requireNonNull(call.aggregate());
        this.bounds = new FrameBounds(call, firstKey, frame);
        this.share = execution.memory().share();
        share.mayPutAside(false); // rows are added after the result was read
        this.steady = aggregate.scalars().stream().noneMatch(PlanParts::isVolatile);
        boolean shows =
                aggregate.kind().sameForOnce()
                        && aggregate.arguments().getFirst() instanceof Scalar.ColumnRef;
        this.makes = !shows && ValueBytes.counts(aggregate.type().shape());
    }

    @Override
    void start(WindowPartition rows) {
        partition = rows;
        bounds.start(rows);
        restart(0);
        fresh = true;
    }

    @Override
    void at(int i, Tuple out) {
        made = 0;
        bounds.at(i);
        if (bounds.excludes()) {
            anew();
            fresh = true;
        } else if (fresh || bounds.low() != low || bounds.high() != high) {
            move();
            fresh = false;
        } else {
            copy(out);
            return;
        }
        Object before = makes ? value() : null;
        state().result(result, 0);
        if (makes && isOther(before)) {
            made = RowCodec.valueBytes(result, 0, aggregate.type().shape());
        }
        copy(out);
    }

    @SuppressWarnings("ReferenceEquality") // one object takes memory once
    private boolean isOther(@Nullable Object before) {
        return value() != before;
    }

    /// The text or array of the last result; null if it is neither.
    private @Nullable Object value() {
        return switch (aggregate.type().shape()) {
            case TEXT, FOLDED -> result.textAt(0);
            case BYTES -> result.bytesAt(0);
            case LONG, DOUBLE, DECIMAL -> null;
        };
    }

    @Override
    long made() {
        return made;
    }

    @Override
    void end() {
        if (state != null) {
            state.close();
            state = null;
        }
        result.setNull(0);
        partition = null;
    }

    private Accumulator state() {
        if (state == null) {
            throw new IllegalStateException("no partition has been started");
        }
        return state;
    }

    private void copy(Tuple row) {
        row.copy(column, result, 0, aggregate.type().shape());
    }

    private void restart(int at) {
        if (state != null) {
            state.close();
        }
        state = Accumulator.of(aggregate, execution, share);
        low = at;
        high = at;
    }

    private void stand(int i) {
        if (partition == null) {
            throw new IllegalStateException("no partition has been started");
        }
        execution.poll();
        current.set(partition.row(i));
    }

    private void add(int i) {
        stand(i);
        state().add(frame);
    }

    /// Aggregates the frame without its excluded rows.
    private void anew() {
        restart(bounds.low());
        for (int part = 0; part < bounds.parts(); part++) {
            for (int i = bounds.from(part); i < bounds.to(part); i++) {
                add(i);
            }
        }
    }

    /// Moves to the new frame.
    private void move() {
        int newLow = bounds.low();
        int newHigh = Math.max(bounds.high(), newLow);
        boolean ahead = newLow >= low && newHigh >= high && newLow <= high;
        if (!ahead || (newLow > low && !(steady && state().removes()))) {
            restart(newLow);
        }
        while (high < newHigh) {
            add(high++);
        }
        while (low < newLow) {
            stand(low++);
            if (!state().remove(frame)) {
                restart(newLow);
                while (high < newHigh) {
                    add(high++);
                }
            }
        }
    }
}
