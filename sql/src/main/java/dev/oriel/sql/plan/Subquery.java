package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A query within an expression. With arguments it is evaluated for each row that gives it others than the row
/// before, or for each row if it is volatile; without them once a run. It is evaluated anew, too, whenever those
/// around it change on which a name of WITH in it depends ([PlanParts#needs]). A [Run] is what evaluates it.
public sealed interface Subquery extends Scalar {
    /// For where there are no queries.
    Runs NONE =
            (nested, execution) -> {
                throw new IllegalStateException("a query where none may be");
            };

    /// Makes what runs a query in an execution.
    @FunctionalInterface
    interface Runs {
        Run of(Nested nested, Execution execution);
    }

    /// A query in an execution, and what it was found to be in this run. Each call runs the query to
    /// where its answer is known, and closes it; so one expression may evaluate it in two places.
    interface Run {
        /// The one row that the query has; of NULLs where it has none. Who asks for a `column` behind the first is
        /// given the row that the first was taken from, where the query is given the same.
        Row value(Frame outer, int column, SqlText.Place place);

        boolean exists(Frame outer);

        /// The truth of `operand operator ANY (query)`: true for one row, else unknown where a NULL is
        /// compared, else false; so it is false without rows, whatever the operand is.
        int any(Frame outer, Operator operator, Scalar operand);

        /// The same of rows and equality.
        int anyRow(Frame outer, List<Scalar> operands);

        /// Hands over the different rows without a NULL, which are kept, in no order; false where there are more
        /// than `most`.
        boolean eachKept(Frame outer, int most, Consumer<Tuple> each);

        /// Whether the rows, which are kept, hold the operands.
        boolean member(Frame outer, List<Scalar> operands);

        /// Lets go of the rows that were kept.
        void release();
    }

    Nested query();

    /// The query itself.
    ///
    /// @param arguments what it is given by the query around it
    record Nested(int number, int position, Plan plan, List<Scalar> arguments) {}

    /// A value of the one row; NULL where there is none.
    ///
    /// @param column which one; others than the first are taken beside it
    /// @param place for the error that there are more rows
    record OfValue(Nested query, int column, Type type, SqlText.Place place) implements Subquery {
        @Override
        public boolean nullable() {
            return true;
        }

        private Row row(Frame frame) {
            return frame.execution().subquery(query).value(frame, column, place);
        }

        @Override
        public long evalLong(Frame frame) {
            Row row = row(frame);
            frame.isNull = row.isNull(column);
            return frame.isNull ? 0 : row.longAt(column);
        }

        @Override
        public double evalDouble(Frame frame) {
            Row row = row(frame);
            frame.isNull = row.isNull(column);
            return frame.isNull ? 0 : row.doubleAt(column);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return row(frame).decimalAt(column);
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return row(frame).textAt(column);
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return row(frame).bytesAt(column);
        }
    }

    /// A subquery that is a condition.
    sealed interface Test extends Subquery {
        @Override
        default Type type() {
            return Typing.BOOLEAN;
        }

        @Override
        int evalTruth(Frame frame);
    }

    /// Whether there is a row.
    record Exists(Nested query) implements Test {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int evalTruth(Frame frame) {
            return frame.execution().subquery(query).exists(frame) ? 1 : 0;
        }
    }

    /// `operand operator ANY (query)`; IN is the equal one.
    record Any(Nested query, Operator operator, Scalar operand) implements Test {
        @Override
        public boolean nullable() {
            return true;
        }

        @Override
        public int evalTruth(Frame frame) {
            return frame.execution().subquery(query).any(frame, operator, operand);
        }
    }

    /// `(a, b) IN (query)`.
    record RowAny(Nested query, List<Scalar> operands) implements Test {
        @Override
        public boolean nullable() {
            return true;
        }

        @Override
        public int evalTruth(Frame frame) {
            return frame.execution().subquery(query).anyRow(frame, operands);
        }
    }

    /// What EXISTS becomes where the inner query asks for equality with outer expressions: whether
    /// its rows, which are kept once a run, hold the operands. It is never unknown.
    record Member(Nested query, List<Scalar> operands) implements Test {
        @Override
        public boolean nullable() {
            return false;
        }

        @Override
        public int evalTruth(Frame frame) {
            return frame.execution().subquery(query).member(frame, operands) ? 1 : 0;
        }
    }
}
