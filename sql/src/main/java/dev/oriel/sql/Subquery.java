package dev.oriel.sql;

import dev.oriel.sql.Expression.Operator;
import dev.oriel.table.Row;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A query within an expression. Without arguments it is evaluated once a run, else once for each
/// row that it is asked for; [SubqueryRun] is what evaluates it.
sealed interface Subquery extends Scalar {
    Nested query();

    /// The query itself.
    ///
    /// @param arguments what it is given by the query around it
    record Nested(int number, int position, Plan plan, List<Scalar> arguments) {}

    /// The value of the one row; NULL where there is none.
    ///
    /// @param place for the error that there are more
    record OfValue(Nested query, Type type, SqlText.Place place) implements Subquery {
        @Override
        public boolean nullable() {
            return true;
        }

        private Row row(Frame frame) {
            return frame.execution().subquery(query).value(frame, type, place);
        }

        @Override
        public long evalLong(Frame frame) {
            Row row = row(frame);
            frame.isNull = row.isNull(0);
            return frame.isNull ? 0 : row.longAt(0);
        }

        @Override
        public double evalDouble(Frame frame) {
            Row row = row(frame);
            frame.isNull = row.isNull(0);
            return frame.isNull ? 0 : row.doubleAt(0);
        }

        @Override
        public @Nullable BigDecimal evalDecimal(Frame frame) {
            return row(frame).decimalAt(0);
        }

        @Override
        public @Nullable String evalText(Frame frame) {
            return row(frame).textAt(0);
        }

        @Override
        public byte @Nullable [] evalBytes(Frame frame) {
            return row(frame).bytesAt(0);
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
