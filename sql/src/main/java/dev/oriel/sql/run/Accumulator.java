package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.FixedDecimalProgram;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.KeySet;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Order;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The running state of one aggregate in one group.
sealed interface Accumulator
        permits Accumulator.Count,
                Accumulator.LongSum,
                Accumulator.DecimalSum,
                Accumulator.Other,
                Accumulator.DoubleSum,
                Accumulator.Extreme,
                Accumulator.Once,
                Accumulator.Filtered,
                OrderedAccumulator,
                QuantileAccumulator,
                FoldAccumulator,
                JsonAccumulator,
                ArrayAccumulator,
                MomentAccumulator,
                PairAccumulator,
                SpanAccumulator,
                JavaAccumulator {
    /// Adds the current row of `frame`.
    void add(Frame frame);

    /// Writes the result so far; rows may be added after that.
    void result(Tuple out, int column);

    /// Whether added rows can be removed again.
    default boolean removes() {
        return false;
    }

    /// Removes an added row; false if the remaining rows must be aggregated from scratch.
    default boolean remove(Frame frame) {
        throw new IllegalStateException("nothing can be taken out of " + this);
    }

    /// Releases the memory it holds.
    default void close() {}

    /// Resets the state for another group; false if it cannot.
    default boolean clear() {
        return false;
    }

    /// The empty state of `call`.
    ///
    /// @param share memory share of states that keep values
    static Accumulator of(AggregateCall call, Execution execution, QueryMemory.Share share) {
        boolean sorts = !call.order().isEmpty() && !call.kind().ordered();
        Accumulator state =
                sorts
                        ? new OrderedAccumulator(call, execution, share)
                        : call.kind().ordered()
                                ? new QuantileAccumulator(call, execution, share)
                                : plain(call, call.arguments(), share);
        if (call.distinct() && !call.kind().sameForOnce()) {
            state = new Once(call, state, execution, share);
        }
        return call.filter() == null ? state : new Filtered(call.filter(), state);
    }

    /// The empty state of `call` for rows in any order, with its arguments read as `arguments`.
    static Accumulator plain(AggregateCall call, List<Scalar> arguments, QueryMemory.Share share) {
        return switch (call.kind()) {
            case COUNT -> new Count(arguments.isEmpty() ? null : arguments.getFirst());
            case MIN -> new Extreme(arguments.getFirst(), -1, share);
            case MAX -> new Extreme(arguments.getFirst(), 1, share);
            case SUM, AVG -> sum(call, arguments.getFirst());
            case BOOL_AND, BOOL_OR, BIT_AND, BIT_OR, BIT_XOR, ANY_VALUE, STRING_AGG ->
                    FoldAccumulator.of(call, arguments, share);
            case VAR_SAMP, VAR_POP, STDDEV_SAMP, STDDEV_POP ->
                    MomentAccumulator.of(call, arguments.getFirst());
            case COVAR_SAMP,
                    COVAR_POP,
                    CORR,
                    REGR_SLOPE,
                    REGR_INTERCEPT,
                    REGR_COUNT,
                    REGR_R2,
                    REGR_SXX,
                    REGR_SYY,
                    REGR_SXY,
                    REGR_AVGX,
                    REGR_AVGY ->
                    new PairAccumulator(call, arguments.get(0), arguments.get(1));
            case PERCENTILE_CONT, PERCENTILE_DISC, MODE ->
                    throw new IllegalStateException(call.kind() + " needs its values in order");
            case ARRAY_AGG -> new ArrayAccumulator(arguments.getFirst(), share);
            case JSON_AGG, JSON_ARRAYAGG, JSON_OBJECTAGG, JSON_OBJECTAGG_ABSENT ->
                    new JsonAccumulator(call, arguments, share);
            case JAVA_AGGREGATE ->
                    new JavaAccumulator(
                            Objects.requireNonNull(call.java()), arguments, call.place());
        };
    }

    private static Accumulator sum(AggregateCall call, Scalar argument) {
        boolean average = call.kind() == AggregateFunction.AVG;
        return switch (argument.type().shape()) {
            case LONG -> new LongSum(argument, average, call.type(), call.place());
            case DOUBLE -> new DoubleSum(argument, average, call.type(), call.place());
            case DECIMAL -> new DecimalSum(argument, average);
            case BYTES -> new SpanAccumulator(argument, average, call.place());
            case TEXT, FOLDED -> throw new IllegalStateException("sum of " + argument.type());
        };
    }

    /// FILTER: passes on the rows for which a condition holds.
    final class Filtered implements Accumulator {
        private final Scalar condition;
        private final Accumulator state;

        private Filtered(Scalar condition, Accumulator state) {
            this.condition = condition;
            this.state = state;
        }

        @Override
        public void add(Frame frame) {
            if (condition.evalTruth(frame) == 1) {
                state.add(frame);
            }
        }

        @Override
        public boolean removes() {
            return state.removes();
        }

        @Override
        public boolean remove(Frame frame) {
            return condition.evalTruth(frame) != 1 || state.remove(frame);
        }

        @Override
        public void result(Tuple out, int column) {
            state.result(out, column);
        }

        @Override
        public void close() {
            state.close();
        }
    }

    /// COUNT: of rows, or of values that are not NULL.
    final class Count implements Accumulator {
        private final @Nullable Scalar argument;
        private long count;

        private Count(@Nullable Scalar argument) {
            this.argument = argument;
        }

        @Override
        public void add(Frame frame) {
            if (argument == null || !argument.evalIsNull(frame)) {
                count++;
            }
        }

        @Override
        public boolean removes() {
            return true;
        }

        @Override
        public boolean remove(Frame frame) {
            if (argument == null || !argument.evalIsNull(frame)) {
                count--;
            }
            return true;
        }

        @Override
        public void result(Tuple out, int column) {
            out.setLong(column, count);
        }

        @Override
        public boolean clear() {
            count = 0;
            return true;
        }
    }

    /// SUM and AVG of integers: in a long until it overflows.
    final class LongSum implements Accumulator {
        private final Scalar argument;
        private final boolean average;
        private final Type type;
        private final Place place;
        private long count;
        private long sum;
        private BigDecimal carried = BigDecimal.ZERO;

        private LongSum(Scalar argument, boolean average, Type type, Place place) {
            this.argument = argument;
            this.average = average;
            this.type = type;
            this.place = place;
        }

        @Override
        public void add(Frame frame) {
            long value = argument.evalLong(frame);
            if (frame.isNull) {
                return;
            }
            count++;
            long next = sum + value;
            if (((sum ^ next) & (value ^ next)) < 0) {
                carried = carried.add(BigDecimal.valueOf(sum));
                next = value;
            }
            sum = next;
        }

        @Override
        public boolean removes() {
            return true;
        }

        @Override
        public boolean remove(Frame frame) {
            long value = argument.evalLong(frame);
            if (frame.isNull) {
                return true;
            }
            count--;
            long next = sum - value;
            if (((sum ^ value) & (sum ^ next)) < 0) {
                carried = carried.add(BigDecimal.valueOf(sum)).subtract(BigDecimal.valueOf(value));
                next = 0;
            }
            sum = next;
            return true;
        }

        @Override
        public boolean clear() {
            count = 0;
            sum = 0;
            carried = BigDecimal.ZERO;
            return true;
        }

        @Override
        public void result(Tuple out, int column) {
            if (count == 0) {
                out.setNull(column);
                return;
            }
            BigDecimal total = carried.add(BigDecimal.valueOf(sum));
            if (average) {
                out.setDecimal(column, Decimals.divide(total, BigDecimal.valueOf(count)));
            } else if (type.shape() == Type.Shape.DECIMAL) {
                out.setDecimal(column, total);
            } else if (total.toBigInteger().bitLength() > 63) {
                throw Integers.outOfRange(type, place);
            } else {
                out.setLong(column, total.longValueExact());
            }
        }
    }

    /// SUM and AVG of decimals, exact.
    final class DecimalSum implements Accumulator {
        private final Scalar argument;
        private final boolean average;
        private final int scale;
        private long count;

        /// The part of the sum that is not in `digits`, possibly at another scale.
        private BigDecimal sum = BigDecimal.ZERO;

        /// Maximum scale of a value in `sum`, and the number of values with that scale.
        private int places;

        private long widest;

        /// Sum of the digits of values added as longs, and whether there were any.
        private long digits;

        private boolean any;

        /// Source of the row's digits; null if they are computed here.
        private @Nullable FixedDecimalProgram program;

        private int register;

        /// Numbers of NaN, Infinity and -Infinity among the values; null if there were none. They are in no sum.
        private long @Nullable [] others;

        private DecimalSum(Scalar argument, boolean average) {
            this.argument = argument;
            this.average = average;
            this.scale = argument.digitsScale();
        }

        @Override
        public void add(Frame frame) {
            if (scale == Scalar.NO_SCALE || !addDigits(frame, 1)) {
                addDecimal(frame);
            }
        }

        /// Reads the digits in `from` instead, which runs before a row is added.
        void read(FixedDecimalProgram from, int at) {
            program = from;
            register = at;
        }

        /// Adds the digits, or subtracts them; false if a long does not hold them.
        private boolean addDigits(Frame frame, int sign) {
            FixedDecimalProgram from = program;
            long value = from == null ? argument.evalDigits(frame) : from.value(register);
            if (from == null ? frame.isNull : from.isNull(register)) {
                return true;
            }
            if (value == Row.NO_DIGITS) {
                return false;
            }
            count += sign;
            any = true;
            long next = DecimalDigits.sum(digits, sign * value);
            if (next == Row.NO_DIGITS) {
                sum = total();
                next = sign * value;
            }
            digits = next;
            return true;
        }

        private void addOther(BigDecimal value, int sign) {
            count += sign;
            long[] counts = others == null ? new long[3] : others;
            counts[NonFinite.isNaN(value) ? 0 : value.signum() > 0 ? 1 : 2] += sign;
            others = counts[0] + counts[1] + counts[2] == 0 ? null : counts;
        }

        /// The sum of NaN and infinities with any numbers.
        private static BigDecimal other(long[] counts) {
            boolean both = counts[1] > 0 && counts[2] > 0;
            return counts[0] > 0 || both
                    ? NonFinite.NAN
                    : counts[1] > 0 ? NonFinite.INFINITY : NonFinite.NEGATIVE_INFINITY;
        }

        private BigDecimal total() {
            return any ? sum.add(BigDecimal.valueOf(digits, scale)) : sum;
        }

        private void addDecimal(Frame frame) {
            BigDecimal value = argument.evalDecimal(frame);
            if (value != null && NonFinite.is(value)) {
                addOther(value, 1);
            } else if (value != null) {
                count++;
                sum = sum.add(value);
                if (value.scale() > places) {
                    places = value.scale();
                    widest = 0;
                }
                widest += value.scale() == places ? 1 : 0;
            }
        }

        @Override
        public boolean removes() {
            return true;
        }

        @Override
        public boolean remove(Frame frame) {
            return (scale != Scalar.NO_SCALE && addDigits(frame, -1)) || removeDecimal(frame);
        }

        /// A sum has the scale of its widest value: without the last such value the scale is smaller.
        private boolean removeDecimal(Frame frame) {
            BigDecimal value = argument.evalDecimal(frame);
            if (value == null) {
                return true;
            }
            if (NonFinite.is(value)) {
                addOther(value, -1);
                return true;
            }
            if (value.scale() == places && places > 0 && --widest == 0) {
                return false;
            }
            count--;
            sum = sum.subtract(value);
            return true;
        }

        @Override
        public void result(Tuple out, int column) {
            result(out, column, average);
        }

        @Override
        public boolean clear() {
            count = 0;
            sum = BigDecimal.ZERO;
            places = 0;
            widest = 0;
            digits = 0;
            any = false;
            others = null;
            return true;
        }

        private void result(Tuple out, int column, boolean averaged) {
            if (count == 0) {
                out.setNull(column);
            } else if (others != null) {
                out.setDecimal(column, other(others));
            } else {
                if (!averaged && any && sum.signum() == 0 && sum.scale() <= scale) {
                    out.setDigits(column, digits, scale);
                    return;
                }
                BigDecimal total = total();
                out.setDecimal(
                        column,
                        averaged ? Decimals.divide(total, BigDecimal.valueOf(count)) : total);
            }
        }

        /// The accumulator with the average, or the sum, as its result; a second one adds no rows by itself.
        Accumulator as(boolean averaged) {
            return averaged == average ? this : new Other(this, averaged);
        }
    }

    /// The second result of a shared sum.
    final class Other implements Accumulator {
        private final DecimalSum of;
        private final boolean averaged;

        private Other(DecimalSum of, boolean averaged) {
            this.of = of;
            this.averaged = averaged;
        }

        @Override
        public void add(Frame frame) {
            throw new IllegalStateException("the sum takes in the rows");
        }

        @Override
        public void result(Tuple out, int column) {
            of.result(out, column, averaged);
        }
    }

    /// SUM and AVG of REAL and DOUBLE. Overflow is an error, as in a sum of two values, unless an infinite value
    /// was added.
    final class DoubleSum implements Accumulator {
        private final Scalar argument;
        private final boolean average;
        private final Type type;
        private final Place place;
        private long count;
        private double sum;

        private DoubleSum(Scalar argument, boolean average, Type type, Place place) {
            this.argument = argument;
            this.average = average;
            this.type = type;
            this.place = place;
        }

        @Override
        public void add(Frame frame) {
            double value = argument.evalDouble(frame);
            if (!frame.isNull) {
                count++;
                double next = sum + value;
                if (Double.isInfinite(next)
                        && !Double.isInfinite(sum)
                        && !Double.isInfinite(value)) {
                    throw Integers.outOfRange(type, place);
                }
                sum = next;
            }
        }

        @Override
        public void result(Tuple out, int column) {
            if (count == 0) {
                out.setNull(column);
                return;
            }
            double result = average ? sum / count : sum;
            double fitted = type.name() == Type.Name.REAL ? (float) result : result;
            if (Double.isInfinite(fitted) && !Double.isInfinite(result)) {
                throw Integers.outOfRange(type, place);
            }
            out.setDouble(column, fitted);
        }
    }

    /// MIN and MAX.
    final class Extreme implements Accumulator {
        private final Scalar argument;
        private final int sign;
        private final Tuple best = new Tuple(1);
        private final Tuple candidate = new Tuple(1);
        private final @Nullable ValueBytes bytes;

        private Extreme(Scalar argument, int sign, QueryMemory.Share share) {
            this.argument = argument;
            this.sign = sign;
            this.bytes = ValueBytes.of(argument.type().shape(), share);
        }

        @Override
        public void add(Frame frame) {
            if (!argument.store(candidate, 0, frame)) {
                return;
            }
            Type.Shape shape = argument.type().shape();
            if (best.isNull(0) || sign * Order.compare(shape, candidate, 0, best, 0) > 0) {
                best.copy(0, candidate, 0, shape);
                if (bytes != null) {
                    bytes.count(best);
                }
            }
        }

        @Override
        public void result(Tuple out, int column) {
            out.copy(column, best, 0, argument.type().shape());
        }

        @Override
        public void close() {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    /// DISTINCT: passes on each value once, or each pair of two arguments. A row whose first argument is NULL
    /// passes only if NULL may be a part of the result.
    final class Once implements Accumulator {
        private final List<Scalar> told;
        private final Accumulator state;
        private final RowKey probe;
        private final KeySet seen;
        private final boolean nulls;

        private Once(
                AggregateCall call,
                Accumulator state,
                Execution execution,
                QueryMemory.Share share) {
            this.told = told(call);
            this.state = state;
            List<Type> types = told.stream().map(Scalar::type).toList();
            this.probe = new RowKey(types);
            this.seen = new KeySet(execution.cancellation(), share, types);
            this.nulls = call.kind().keepsNull();
        }

        /// The arguments that may differ from row to row, and the first one in any case.
        private static List<Scalar> told(AggregateCall call) {
            if (call.kind().ordered()) {
                return List.of(call.order().getFirst().scalar());
            }
            List<Scalar> arguments = call.arguments();
            int first = call.java() == null ? 0 : 1; // after the name
            List<Scalar> told = new ArrayList<>();
            for (int i = first; i < arguments.size(); i++) {
                if (i == first || !(arguments.get(i) instanceof Scalar.Constant)) {
                    told.add(arguments.get(i));
                }
            }
            return List.copyOf(told);
        }

        @Override
        public void add(Frame frame) {
            if (!told.getFirst().store(probe.values(), 0, frame) && !nulls) {
                return;
            }
            for (int i = 1; i < told.size(); i++) {
                told.get(i).store(probe.values(), i, frame);
            }
            probe.rehash();
            if (seen.add(probe)) {
                state.add(frame);
            }
        }

        @Override
        public void result(Tuple out, int column) {
            state.result(out, column);
        }

        @Override
        public void close() {
            seen.clear();
            state.close();
        }
    }
}
