package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/// PERCENTILE_CONT, PERCENTILE_DISC and MODE: keeps the values, without NULLs, and sorts them.
final class QuantileAccumulator implements Accumulator {
    private final AggregateCall call;
    private final Scalar value;
    private final RowOrder order;
    private final List<Tuple> values = new ArrayList<>();
    private double fraction = Double.NaN;

    QuantileAccumulator(AggregateCall call) {
        AggregateCall.SortTerm term = call.order().getFirst();
        this.call = call;
        this.value = term.scalar();
        this.order =
                new RowOrder(
                        List.of(new Plan.SortKey(0, term.descending(), term.nullsFirst())),
                        List.of(value.type()));
    }

    @Override
    public void add(Frame frame) {
        if (Double.isNaN(fraction) && !call.arguments().isEmpty()) {
            fraction = call.arguments().getFirst().evalDouble(frame);
            if (!frame.isNull && !(fraction >= 0 && fraction <= 1)) {
                throw call.place()
                        .error(Kind.OUT_OF_RANGE, call.kind() + " needs a part between 0 and 1");
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
        boolean mode = call.kind() == AggregateCall.Kind.MODE;
        if (values.isEmpty() || (!mode && Double.isNaN(fraction))) {
            out.setNull(column);
            return;
        }
        values.sort(order);
        Type.Shape shape = value.type().shape();
        if (mode) {
            out.copy(column, values.get(mostFrequent()), 0, shape);
        } else if (call.kind() == AggregateCall.Kind.PERCENTILE_DISC) {
            int index = (int) Math.ceil(fraction * values.size()) - 1;
            out.copy(column, values.get(Math.max(index, 0)), 0, shape);
        } else {
            double at = fraction * (values.size() - 1);
            double low = number(values.get((int) Math.floor(at)), shape);
            double high = number(values.get((int) Math.ceil(at)), shape);
            out.setDouble(column, low + (high - low) * (at - Math.floor(at)));
        }
    }

    private int mostFrequent() {
        int best = 0;
        int bestCount = 0;
        int start = 0;
        for (int i = 1; i <= values.size(); i++) {
            if (i == values.size() || order.compare(values.get(start), values.get(i)) != 0) {
                if (i - start > bestCount) {
                    best = start;
                    bestCount = i - start;
                }
                start = i;
            }
        }
        return best;
    }

    private static double number(Tuple row, Type.Shape shape) {
        return switch (shape) {
            case LONG -> row.longAt(0);
            case DOUBLE -> row.doubleAt(0);
            case DECIMAL -> {
                BigDecimal decimal = row.decimalAt(0);
                yield decimal == null ? 0 : decimal.doubleValue();
            }
            case TEXT, BYTES -> throw new IllegalStateException("no number");
        };
    }
}
