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
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// PERCENTILE_CONT, PERCENTILE_DISC and MODE: keeps the values, without NULLs, and sorts them.
final class QuantileAccumulator implements Accumulator {
    private final AggregateCall call;
    private final Scalar value;
    private final Type.Shape shape;
    private final RowOrder order;
    private final SortedValues values;
    private final Type result;

    /// The fractions, not a number for NULL; null before they are known, and if they are NULL.
    private double @Nullable [] fractions;

    /// The last two values that were read, and the number of values read so far.
    private Tuple last = new Tuple(1);

    private Tuple secondLast = new Tuple(1);
    private long read;

    QuantileAccumulator(AggregateCall call, Execution execution, QueryMemory.Share share) {
        AggregateCall.SortTerm term = call.order().getFirst();
        this.call = call;
        this.value = term.scalar();
        this.shape = value.type().shape();
        this.result = isList(call) ? Objects.requireNonNull(call.type().element()) : call.type();
        List<Type> types = List.of(value.type());
        this.order =
                new RowOrder(List.of(new SortKey(0, term.descending(), term.nullsFirst())), types);
        this.values = new SortedValues(execution, share, types, order);
    }

    /// Whether there are several fractions in an array, and so are the results.
    private static boolean isList(AggregateCall call) {
        return !call.arguments().isEmpty()
                && call.arguments().getFirst().type().name() == Type.Name.ARRAY;
    }

    @Override
    public void add(Frame frame) {
        if (fractions == null && !call.arguments().isEmpty()) {
            fractions = fractions(call.arguments().getFirst(), frame);
        }
        Tuple row = new Tuple(1);
        if (value.store(row, 0, frame)) {
            values.add(row);
        }
    }

    private double @Nullable [] fractions(Scalar argument, Frame frame) {
        Tuple given = new Tuple(1);
        if (isList(call)) {
            byte[] array = argument.evalBytes(frame);
            if (array == null) {
                return null;
            }
            given = ArrayValue.elements(Typing.DOUBLE, array);
        } else if (!argument.store(given, 0, frame)) {
            return null;
        }
        double[] found = new double[given.columns()];
        for (int i = 0; i < found.length; i++) {
            found[i] = given.isNull(i) ? Double.NaN : given.doubleAt(i);
            if (!given.isNull(i) && !(found[i] >= 0 && found[i] <= 1)) {
                throw call.place()
                        .error(Kind.OUT_OF_RANGE, call.kind() + " needs a fraction from 0 to 1");
            }
        }
        return found;
    }

    @Override
    public void result(Tuple out, int column) {
        boolean mode = call.kind() == AggregateFunction.MODE;
        double[] wanted = fractions;
        if (values.count() == 0 || (!mode && wanted == null)) {
            out.setNull(column);
            return;
        }
        values.sort();
        read = 0;
        if (wanted == null) {
            out.copy(column, mostFrequent(), 0, shape);
        } else if (isList(call)) {
            out.setBytes(column, ArrayValue.of(result, quantiles(wanted), wanted.length));
        } else {
            store(wanted[0], out, column);
        }
    }

    /// The values at `wanted`, which are read in their order, whatever that of the fractions is.
    private Tuple quantiles(double[] wanted) {
        double[] ascending = wanted.clone();
        Arrays.sort(ascending);
        Tuple found = new Tuple(wanted.length);
        for (int i = 0; i < ascending.length; i++) {
            if (i > 0 && ascending[i] == ascending[i - 1]) {
                continue;
            }
            int first = -1;
            for (int j = 0; j < wanted.length; j++) {
                boolean meant = wanted[j] == ascending[i];
                if (meant && first < 0) {
                    store(wanted[j], found, j);
                    first = j;
                } else if (meant) {
                    found.copy(j, found, first, result.shape());
                }
            }
        }
        return found;
    }

    /// Writes the value at `fraction`.
    private void store(double fraction, Tuple out, int column) {
        if (call.kind() == AggregateFunction.PERCENTILE_DISC) {
            long index = (long) Math.ceil(fraction * values.count()) - 1;
            out.copy(column, at(Math.max(index, 0)), 0, shape);
            return;
        }
        double at = fraction * (values.count() - 1);
        long floor = (long) Math.floor(at);
        long ceiling = (long) Math.ceil(at);
        if (result.shape() == Type.Shape.LONG) {
            long low = at(floor).longAt(0);
            long high = floor == ceiling ? low : at(ceiling).longAt(0);
            out.setLong(column, between(low, high, at - floor));
            return;
        }
        double low = number(at(floor));
        double high = floor == ceiling ? low : number(at(ceiling));
        out.setDouble(column, low + (high - low) * (at - floor));
    }

    /// The date or time at the share `part` of the way from `low` to `high`; an infinite end itself, if there is one.
    private long between(long low, long high, double part) {
        Type.Name of = result.name();
        if (of != Type.Name.TIME && (NonFinite.is(low, of) || NonFinite.is(high, of))) {
            return NonFinite.is(low, of) ? low : high;
        }
        BigDecimal distance = BigDecimal.valueOf(high).subtract(BigDecimal.valueOf(low));
        BigDecimal way = distance.multiply(BigDecimal.valueOf(part));
        return low + way.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    /// The value number `index`, from 0: one of the last two that were read, or a later one.
    private Tuple at(long index) {
        while (read < index - 1) {
            present(values.next());
            read++;
        }
        while (read <= index) {
            Tuple free = secondLast;
            secondLast = last;
            free.copy(0, present(values.next()), 0, shape);
            last = free;
            read++;
        }
        return index == read - 1 ? last : secondLast;
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
