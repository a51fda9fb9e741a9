package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Projection. Plain columns are read through from the input on access; the others are computed once a row, so
/// that an error shows up at its row.
final class ProjectOperator implements Operator {
    private static final int COMPUTED = -1;

    private final Operator input;
    private final Scalar[] columns;
    private final int[] positions;
    private final int[] computed;
    private final Tuple values;
    private final Frame frame;
    private final Row row;

    /// The projection of `input` to `columns`; `input` itself if these are its first columns in their order.
    static Operator of(Operator input, List<Scalar> columns, Execution execution) {
        for (int i = 0; i < columns.size(); i++) {
            if (!(columns.get(i) instanceof Scalar.ColumnRef ref && ref.column() == i)) {
                return new ProjectOperator(input, columns, execution);
            }
        }
        return execution.analysis() == null
                ? input
                : new ProjectOperator(input, columns, execution);
    }

    private ProjectOperator(Operator input, List<Scalar> columns, Execution execution) {
        this.input = input;
        this.columns = columns.toArray(new Scalar[0]);
        this.positions = new int[columns.size()];
        int[] found = new int[positions.length];
        int count = 0;
        boolean plain = true;
        for (int i = 0; i < positions.length; i++) {
            positions[i] = columns.get(i) instanceof Scalar.ColumnRef ref ? ref.column() : COMPUTED;
            plain &= positions[i] != COMPUTED;
            // A tuple's columns are NULL at first.
            if (positions[i] == COMPUTED
                    && !(columns.get(i) instanceof Scalar.Constant same && same.isNull())) {
                found[count++] = i;
            }
        }
        this.computed = Arrays.copyOf(found, count);
        this.values = new Tuple(plain ? 0 : positions.length);
        this.frame = new Frame(execution, input.row());
        this.row = new Projected(input.row(), values, positions);
    }

    @Override
    public void open() {
        input.open();
    }

    @Override
    public boolean next() {
        if (!input.next()) {
            return false;
        }
        for (int column : computed) {
            columns[column].store(values, column, frame);
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        input.close();
    }

    private static final class Projected implements Row {
        private final Row source;
        private final Tuple values;
        private final int[] positions;

        private Projected(Row source, Tuple values, int[] positions) {
            this.source = source;
            this.values = values;
            this.positions = positions;
        }

        @Override
        public boolean isNull(int column) {
            int position = positions[column];
            return position >= 0 ? source.isNull(position) : values.isNull(column);
        }

        @Override
        public long longAt(int column) {
            int position = positions[column];
            return position >= 0 ? source.longAt(position) : values.longAt(column);
        }

        @Override
        public double doubleAt(int column) {
            int position = positions[column];
            return position >= 0 ? source.doubleAt(position) : values.doubleAt(column);
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            int position = positions[column];
            return position >= 0 ? source.decimalAt(position) : values.decimalAt(column);
        }

        @Override
        public long digitsAt(int column, int scale) {
            int position = positions[column];
            return position >= 0
                    ? source.digitsAt(position, scale)
                    : values.digitsAt(column, scale);
        }

        @Override
        public void copyDecimal(int column, Tuple out, int to) {
            int position = positions[column];
            if (position >= 0) {
                source.copyDecimal(position, out, to);
            } else {
                values.copyDecimal(column, out, to);
            }
        }

        @Override
        public @Nullable String symbolAt(int column) {
            int position = positions[column];
            return position >= 0 ? source.symbolAt(position) : values.textAt(column);
        }

        @Override
        public @Nullable String textAt(int column) {
            int position = positions[column];
            return position >= 0 ? source.textAt(position) : values.textAt(column);
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            int position = positions[column];
            return position >= 0 ? source.bytesAt(position) : values.bytesAt(column);
        }
    }
}
