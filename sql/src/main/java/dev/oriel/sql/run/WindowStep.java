package dev.oriel.sql.run;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.syntax.WindowFunction;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

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

    /// Starts the partition `rows`.
    abstract void start(WindowPartition rows);

    /// Computes the value of row `i`, and writes it into `out`; called for all rows from the first on.
    abstract void at(int i, Tuple out);

    /// Bytes of the last value written by [#at], if it is a text or an array made for it; else 0.
    long made() {
        return 0;
    }

    /// Releases the rows; a second call has no effect.
    void end() {}

    /// @param firstKey position among the keys of the value that a RANGE frame measures
    static WindowStep of(WindowCall call, int column, int firstKey, Execution execution) {
        WindowFunction function = call.function();
        if (function == null) {
            return new WindowAggregate(call, column, firstKey, execution);
        }
        return switch (function) {
            case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE ->
                    new Ranking(call, function, column, execution);
            case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE, NTH_VALUE_FROM_LAST ->
                    new Picking(call, function, column, firstKey, execution);
        };
    }

    /// Functions of a row's position in its partition.
    static final class Ranking extends WindowStep {
        private final WindowFunction function;
        private @Nullable WindowPartition partition;

        private Ranking(WindowCall call, WindowFunction function, int column, Execution execution) {
            super(call, column, execution);
            this.function = function;
        }

        @Override
        void start(WindowPartition rows) {
            partition = rows;
        }

        @Override
        void at(int i, Tuple row) {
            WindowPartition rows = started(partition);
            int count = rows.count();
            switch (function) {
                case ROW_NUMBER -> row.setLong(column, i + 1L);
                case RANK -> row.setLong(column, rows.firstPeer(i) + 1L);
                case DENSE_RANK -> row.setLong(column, rows.group(i) + 1L);
                case PERCENT_RANK ->
                        row.setDouble(
                                column, count == 1 ? 0 : rows.firstPeer(i) / (double) (count - 1));
                case CUME_DIST -> row.setDouble(column, rows.endOfPeers(i) / (double) count);
                case NTILE -> ntile(rows, i, row);
                case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE, NTH_VALUE_FROM_LAST ->
                        throw new IllegalStateException(function + " ranks nothing");
            }
        }

        private void ntile(WindowPartition rows, int i, Tuple row) {
            current.set(rows.row(0));
            long tiles = call.arguments().getFirst().evalLong(frame);
            if (frame.isNull) {
                row.setNull(column);
                return;
            }
            if (tiles <= 0) {
                throw call.place().error(Kind.NTILE, "NTILE needs 1 part or more");
            }
            long size = rows.count() / tiles;
            long larger = rows.count() % tiles;
            long inLarger = larger * (size + 1);
            row.setLong(
                    column, 1 + (i < inLarger ? i / (size + 1) : larger + (i - inLarger) / size));
        }

        @Override
        void end() {
            partition = null;
        }
    }

    private static WindowPartition started(@Nullable WindowPartition partition) {
        if (partition == null) {
            throw new IllegalStateException("no partition has been started");
        }
        return partition;
    }

    /// Functions whose value comes from another row.
    static final class Picking extends WindowStep {
        /// Result if there is no such row: the default is the value.
        private static final int OUTSIDE = -1;

        /// Result if the value is NULL.
        private static final int NOWHERE = -2;

        private final WindowFunction function;
        private final Scalar value;
        private final FrameBounds bounds;

        /// The rows that IGNORE NULLS leaves.
        private final NonNullBitmap present;

        private @Nullable WindowPartition partition;
        private long made;

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
            this.present = new NonNullBitmap(execution.memory().share());
        }

        @Override
        void start(WindowPartition rows) {
            partition = rows;
            if (function.framed()) {
                bounds.start(rows);
            }
        }

        @Override
        void at(int i, Tuple out) {
            WindowPartition rows = started(partition);
            int picked =
                    switch (function) {
                        case LAG -> shifted(rows, i, -1);
                        case LEAD -> shifted(rows, i, 1);
                        case FIRST_VALUE -> nth(rows, i, 1);
                        case LAST_VALUE -> last(rows, i, 1);
                        case NTH_VALUE -> nth(rows, i, wanted(rows, i));
                        case NTH_VALUE_FROM_LAST -> last(rows, i, wanted(rows, i));
                        case ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE ->
                                throw new IllegalStateException(function + " picks nothing");
                    };
            made = 0;
            if (picked >= 0) {
                current.set(rows.row(picked));
                store(value, out);
            } else if (picked == OUTSIDE && call.arguments().size() == 3) {
                current.set(rows.row(i));
                store(call.arguments().get(2), out);
            } else {
                out.setNull(column);
            }
        }

        private void store(Scalar scalar, Tuple out) {
            scalar.store(out, column, frame);
            Type.Shape shape = scalar.type().shape();
            boolean shown = scalar instanceof Scalar.ColumnRef || scalar instanceof Scalar.Constant;
            if (!shown && ValueBytes.counts(shape)) {
                made = RowCodec.valueBytes(out, column, shape);
            }
        }

        @Override
        long made() {
            return made;
        }

        @Override
        void end() {
            present.clear();
            partition = null;
        }

        /// The row at an offset before or after, or [#OUTSIDE]; [#NOWHERE] if the offset is NULL.
        private int shifted(WindowPartition partition, int i, int direction) {
            long distance = 1;
            if (call.arguments().size() > 1) {
                current.set(partition.row(i));
                distance = call.arguments().get(1).evalLong(frame);
                if (frame.isNull) {
                    return NOWHERE;
                }
            }
            long sought = Math.abs(distance);
            int step = distance < 0 ? -direction : direction;
            if (!call.ignoresNulls() || sought == 0) {
                long at = i + step * sought;
                return sought <= partition.count() && at >= 0 && at < partition.count()
                        ? (int) at
                        : OUTSIDE;
            }
            if (sought < 0 || sought > partition.count()) {
                return OUTSIDE;
            }
            if (step > 0) {
                look(partition, i + 1);
                return present(partition, present.before(i + 1) + sought - 1, partition.count());
            }
            look(partition, i);
            long number = present.before(i) - sought;
            return number < 0 ? OUTSIDE : present.row((int) number);
        }

        /// Examines the rows before row `end`.
        private void look(WindowPartition partition, int end) {
            while (present.known() < end) {
                present.add(!isNull(partition, present.known()));
            }
        }

        /// The row before row `end` with non-NULL value number `number`; [#OUTSIDE] if there is none.
        private int present(WindowPartition partition, long number, int end) {
            while (present.count() <= number && present.known() < end) {
                present.add(!isNull(partition, present.known()));
            }
            int row = number < present.count() ? present.row((int) number) : end;
            return row < end ? row : OUTSIDE;
        }

        private boolean isNull(WindowPartition partition, int i) {
            execution.poll();
            current.set(partition.row(i));
            return value.evalIsNull(frame);
        }

        private long wanted(WindowPartition partition, int i) {
            current.set(partition.row(i));
            long n = call.arguments().get(1).evalLong(frame);
            if (!frame.isNull && n < 1) {
                throw call.place().error(Kind.NTH_VALUE, "NTH_VALUE counts from 1");
            }
            return frame.isNull ? Long.MAX_VALUE : n;
        }

        private int nth(WindowPartition partition, int i, long n) {
            bounds.at(i);
            long left = Math.min(n, partition.count() + 1L);
            for (int part = 0; part < bounds.parts(); part++) {
                int from = bounds.from(part);
                int to = bounds.to(part);
                if (!call.ignoresNulls()) {
                    if (left <= to - from) {
                        return (int) (from + left - 1);
                    }
                    left -= to - from;
                    continue;
                }
                look(partition, from);
                int before = present.before(from);
                int found = present(partition, before + left - 1, to);
                if (found != OUTSIDE) {
                    return found;
                }
                left -= present.before(to) - before;
            }
            return NOWHERE;
        }

        private int last(WindowPartition partition, int i, long n) {
            bounds.at(i);
            long left = Math.min(n, partition.count() + 1L);
            for (int part = bounds.parts() - 1; part >= 0; part--) {
                int from = bounds.from(part);
                int to = bounds.to(part);
                if (!call.ignoresNulls()) {
                    if (left <= to - from) {
                        return (int) (to - left);
                    }
                    left -= Math.max(0, to - from);
                    continue;
                }
                look(partition, to);
                int end = present.before(to);
                int found = from < to ? end - present.before(from) : 0;
                if (left <= found) {
                    return present.row((int) (end - left));
                }
                left -= found;
            }
            return NOWHERE;
        }
    }
}
