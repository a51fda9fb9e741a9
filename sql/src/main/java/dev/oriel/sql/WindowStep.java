package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.WindowSort.Partition;
import dev.oriel.table.Tuple;

/// One function over the rows of a partition.
abstract sealed class WindowStep permits WindowStep.Ranking, WindowStep.Picking, WindowAggregate {
    final WindowCall call;
    final int column;
    final CurrentRow current = new CurrentRow();
    final Frame frame;
    final Execution execution;

    WindowStep(WindowCall call, int column, Execution execution) {
        this.call = call;
        this.column = column;
        this.execution = execution;
        this.frame = new Frame(execution, current);
    }

    /// Computes the values of all rows of `partition`, and writes them into the rows.
    abstract void compute(Partition partition);

    /// @param firstKey position of what a RANGE frame measures among the keys
    static WindowStep of(WindowCall call, int column, int firstKey, Execution execution) {
        WindowFunction function = call.function();
        if (function == null) {
            return new WindowAggregate(call, column, firstKey, execution);
        }
        return switch (function) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE ->
                    new Ranking(call, function, column, execution);
            case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE ->
                    new Picking(call, function, column, firstKey, execution);
        };
    }

    /// Those that go by the place of a row in its partition.
    static final class Ranking extends WindowStep {
        private final WindowFunction function;

        private Ranking(WindowCall call, WindowFunction function, int column, Execution execution) {
            super(call, column, execution);
            this.function = function;
        }

        @Override
        void compute(Partition partition) {
            int count = partition.count();
            for (int i = 0; i < count; i++) {
                Tuple row = partition.row(i);
                switch (function) {
                    case ROW_NUMBER -> row.setLong(column, i + 1L);
                    case RANK -> row.setLong(column, partition.firstPeer(i) + 1L);
                    case DENSE_RANK -> row.setLong(column, partition.group(i) + 1L);
                    case PERCENT_RANK ->
                            row.setDouble(
                                    column,
                                    count == 1 ? 0 : partition.firstPeer(i) / (double) (count - 1));
                    case CUME_DIST ->
                            row.setDouble(column, partition.endOfPeers(i) / (double) count);
                    case NTILE -> ntile(partition, i);
                    case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE ->
                            throw new IllegalStateException(function + " ranks nothing");
                }
            }
        }

        private void ntile(Partition partition, int i) {
            Tuple row = partition.row(i);
            current.set(partition.row(0));
            long tiles = call.arguments().getFirst().evalLong(frame);
            if (frame.isNull) {
                row.setNull(column);
                return;
            }
            if (tiles <= 0) {
                throw call.place().error(Kind.INVALID_VALUE, "NTILE needs 1 part or more");
            }
            long size = partition.count() / tiles;
            long larger = partition.count() % tiles;
            long inLarger = larger * (size + 1);
            row.setLong(
                    column, 1 + (i < inLarger ? i / (size + 1) : larger + (i - inLarger) / size));
        }
    }

    /// Those that are the value of another row.
    static final class Picking extends WindowStep {
        private final WindowFunction function;
        private final Scalar value;
        private final FrameBounds bounds;

        private Picking(
                WindowCall call,
                WindowFunction function,
                int column,
                int firstKey,
                Execution execution) {
            super(call, column, execution);
            this.function = function;
            this.value = call.arguments().getFirst();
            this.bounds = new FrameBounds(call, firstKey, frame);
        }

        @Override
        void compute(Partition partition) {
            if (function.framed()) {
                bounds.start(partition);
            }
            for (int i = 0; i < partition.count(); i++) {
                execution.poll();
                int picked =
                        switch (function) {
                            case LAG -> shifted(partition, i, -1);
                            case LEAD -> shifted(partition, i, 1);
                            case FIRST_VALUE -> nth(partition, i, 1);
                            case LAST_VALUE -> last(partition, i);
                            case NTH_VALUE -> nth(partition, i, wanted(partition, i));
                            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE ->
                                    throw new IllegalStateException(function + " picks nothing");
                        };
                write(partition, i, picked);
            }
        }

        private void write(Partition partition, int i, int picked) {
            Tuple row = partition.row(i);
            if (picked >= 0) {
                current.set(partition.row(picked));
                value.store(row, column, frame);
            } else if (call.arguments().size() == 3) {
                current.set(row);
                call.arguments().get(2).store(row, column, frame);
            } else {
                row.setNull(column);
            }
        }

        /// The row some rows before or after, or -1; where the distance is NULL, the value is too.
        private int shifted(Partition partition, int i, int direction) {
            long distance = 1;
            if (call.arguments().size() > 1) {
                current.set(partition.row(i));
                distance = call.arguments().get(1).evalLong(frame);
                if (frame.isNull) {
                    return -1;
                }
            }
            long sought = Math.abs(distance);
            int step = distance < 0 ? -direction : direction;
            if (!call.ignoresNulls() || sought == 0) {
                long at = i + step * sought;
                return sought <= partition.count() && at >= 0 && at < partition.count()
                        ? (int) at
                        : -1;
            }
            int at = i;
            while (sought > 0) {
                at += step;
                if (at < 0 || at >= partition.count()) {
                    return -1;
                }
                if (!isNull(partition, at)) {
                    sought--;
                }
            }
            return at;
        }

        private boolean isNull(Partition partition, int i) {
            current.set(partition.row(i));
            return value.evalIsNull(frame);
        }

        private long wanted(Partition partition, int i) {
            current.set(partition.row(i));
            long n = call.arguments().get(1).evalLong(frame);
            if (!frame.isNull && n < 1) {
                throw call.place().error(Kind.INVALID_VALUE, "NTH_VALUE counts from 1");
            }
            return frame.isNull ? Long.MAX_VALUE : n;
        }

        private int nth(Partition partition, int i, long n) {
            bounds.at(i);
            long left = n;
            boolean skips = bounds.excludes() || call.ignoresNulls();
            if (!skips) {
                long at = bounds.low() + n - 1;
                return n <= partition.count() && at < bounds.high() ? (int) at : -1;
            }
            for (int at = bounds.low(); at < bounds.high(); at++) {
                if (!bounds.excluded(at)
                        && !(call.ignoresNulls() && isNull(partition, at))
                        && --left == 0) {
                    return at;
                }
            }
            return -1;
        }

        private int last(Partition partition, int i) {
            bounds.at(i);
            for (int at = bounds.high() - 1; at >= bounds.low(); at--) {
                if (!bounds.excluded(at) && !(call.ignoresNulls() && isNull(partition, at))) {
                    return at;
                }
            }
            return -1;
        }
    }
}
