package dev.oriel.sql.run;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// PERCENTILE_CONT, PERCENTILE_DISC and MODE: keeps the values, without NULLs, and sorts them.
final class QuantileAccumulator implements Accumulator {
    private final AggregateCall call;
    private final Scalar value;
    private final Type.Shape shape;
    private final RowOrder order;
    private final SortedValues values;
    private double fraction = Double.NaN;

    QuantileAccumulator(AggregateCall call, Execution execution, QueryMemory.Share share) {
        AggregateCall.SortTerm term = call.order().getFirst();
        this.call = call;
        this.value = term.scalar();
        this.shape = value.type().shape();
        List<Type> types = List.of(value.type());
        this.order =
                new RowOrder(List.of(new SortKey(0, term.descending(), term.nullsFirst())), types);
        this.values = new SortedValues(execution, share, types, order);
    }

    @Override
    public void add(Frame frame) {
        if (Double.isNaN(fraction) && !call.arguments().isEmpty()) {
            fraction = call.arguments().getFirst().evalDouble(frame);
            if (!frame.isNull && !(fraction >= 0 && fraction <= 1)) {
                throw call.place()
                        .error(Kind.OUT_OF_RANGE, call.kind() + " needs a fraction from 0 to 1");
            }
            fraction = frame.isNull ? Double.NaN : fraction;
        }
        Tuple row = new Tuple(1);
        if (value.store(row, 0, frame)) {
            values.add(row);
        }
    }

    @Override
    public void result(Tuple out, int column) {
        boolean mode = call.kind() == AggregateFunction.MODE;
        long count = values.count();
        if (count == 0 || (!mode && Double.isNaN(fraction))) {
            out.setNull(column);
            return;
        }
        values.sort();
        if (mode) {
            out.copy(column, mostFrequent(), 0, shape);
        } else if (call.kind() == AggregateFunction.PERCENTILE_DISC) {
            long index = (long) Math.ceil(fraction * count) - 1;
            out.copy(column, after(Math.max(index, 0)), 0, shape);
        } else {
            double at = fraction * (count - 1);
            long floor = (long) Math.floor(at);
            long ceiling = (long) Math.ceil(at);
            if (call.type().shape() == Type.Shape.LONG) {
                long low = after(floor).longAt(0);
                long high = floor == ceiling ? low : after(0).longAt(0);
                out.setLong(column, between(low, high, at - floor));
                return;
            }
            double low = number(after(floor));
            double high = floor == ceiling ? low : number(after(0));
            out.setDouble(column, low + (high - low) * (at - floor));
        }
    }

    /// The date or time at the share `part` of the way from `low` to `high`; an infinite end itself, if there is one.
    private long between(long low, long high, double part) {
        Type.Name of = call.type().name();
        if (of != Type.Name.TIME && (NonFinite.is(low, of) || NonFinite.is(high, of))) {
            return NonFinite.is(low, of) ? low : high;
        }
        BigDecimal distance = BigDecimal.valueOf(high).subtract(BigDecimal.valueOf(low));
        BigDecimal way = distance.multiply(BigDecimal.valueOf(part));
        return low + way.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    /// The value after the next `skipped`.
    private Tuple after(long skipped) {
        for (long i = 0; i < skipped; i++) {
            present(values.next());
        }
        return present(values.next());
    }

    private static Tuple present(@Nullable Tuple value) {
        if (value == null) {
            throw new IllegalStateException("fewer values than were counted");
        }
        return value;
    }

    private Tuple mostFrequent() {
        Tuple best = new Tuple(1);
        Tuple group = new Tuple(1);
        long bestCount = 0;
        long count = 0;
        for (Tuple row = values.next(); row != null; row = values.next()) {
            if (count == 0 || order.compare(group, row) != 0) {
                group = new Tuple(1);
                group.copy(0, row, 0, shape);
                count = 0;
            }
            count++;
            if (count > bestCount) {
                bestCount = count;
                best = group;
            }
        }
        return best;
    }

    private double number(Tuple row) {
        return switch (shape) {
            case LONG -> row.longAt(0);
            case DOUBLE -> row.doubleAt(0);
            case DECIMAL -> {
                BigDecimal decimal = row.decimalAt(0);
                yield decimal == null ? 0 : NonFinite.toDouble(decimal);
            }
            case TEXT, FOLDED, BYTES -> throw new IllegalStateException("no number");
        };
    }

    @Override
    public void close() {
        values.clear();
    }
}
