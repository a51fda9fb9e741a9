package dev.oriel.sql.plan;

import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A query within an expression. With arguments it is evaluated for each row whose arguments differ from the
/// previous row's, or for each row if it is volatile. Without arguments it is evaluated once a run. It is
/// evaluated again, too, whenever outer queries change on which a name of WITH in it depends ([PlanParts#needs]).
/// A [Run] evaluates it.
public sealed interface Subquery extends Scalar {
    /// Runs for a context without subqueries.
    Runs NONE =
            (nested, execution) -> {
                throw new IllegalStateException("a query where none may be");
            };

    /// Makes the run of a query in an execution.
    @FunctionalInterface
    interface Runs {
        Run of(Nested nested, Execution execution);
    }

    /// A query in an execution, with its cached result in this run. Each call runs the query until its result is
    /// known, and closes it; so one expression may evaluate it in two places.
    interface Run {
        /// The single row of the query; of NULLs if it has none. A later `column` is read from the same row as the
        /// first, as long as the arguments are the same.
        Row value(Frame outer, int column, SqlText.Place place);

        boolean exists(Frame outer);

        /// The truth value of `operand operator ANY (query)`: true if it holds for a row, else unknown if a NULL
        /// is compared, else false. So it is false without rows, whatever the operand is.
        int any(Frame outer, Operator operator, Scalar operand);

        /// Equality of rows with ANY row of the query.
        int anyRow(Frame outer, List<Scalar> operands);

        /// Passes the distinct rows without a NULL, which are kept, in no particular order; returns false if there
        /// are more than `most`.
        boolean eachKept(Frame outer, int most, Consumer<Tuple> each);

        /// Whether the rows, which are kept, contain the operands.
        boolean member(Frame outer, List<Scalar> operands);

        /// Releases the kept rows.
        void release();
    }

    Nested query();

    /// The query itself.
    ///
    /// @param arguments expressions of the outer query
    record Nested(int number, int position, Plan plan, List<Scalar> arguments) {}

    /// A value of the single row; NULL if there is none.
    ///
    /// @param column its position; columns after the first are read from the same row
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

    /// `operand operator ANY (query)`; IN has the operator EQUAL.
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

    /// EXISTS with equalities between inner and outer expressions, as a semi-join: whether the inner rows, which
    /// are kept once a run, contain the operands. It is never unknown.
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
