package dev.oriel.sql.run;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// Skips some rows, passes on some more, and ends without reading its input further.
public final class LimitOperator implements Operator {
    private final Operator input;

    /// The input, if the limit is a share of its rows; else null.
    private final @Nullable CountedRows counted;

    private final Plan.@Nullable Count limit;
    private final Plan.@Nullable Count offset;
    private final Frame frame;
    private final @Nullable RowOrder ties;
    private final Type.Shape[] shapes;
    private long toSkip;
    private long toReturn;
    private @Nullable Tuple last;

    LimitOperator(Operator input, Plan.Limit plan, Execution execution) {
        boolean percent = plan.limit() != null && plan.limit().percent();
        this.counted = percent ? new CountedRows(input, plan.input().types(), execution) : null;
        this.input = counted == null ? input : counted;
        this.limit = plan.limit();
        this.offset = plan.offset();
        this.frame = new Frame(execution, new Tuple(0));
        this.ties = plan.ties().isEmpty() ? null : new RowOrder(plan.ties(), plan.types());
        this.shapes = Typing.shapes(plan.types());
    }

    /// Passes on at most `limit` rows of `input`.
    public LimitOperator(Operator input, Plan.Count limit, Execution execution) {
        this.counted = null;
        this.input = input;
        this.limit = limit;
        this.offset = null;
        this.frame = new Frame(execution, new Tuple(0));
        this.ties = null;
        this.shapes = new Type.Shape[0];
    }

    @Override
    public void open() {
        if (counted != null && limit != null) {
            toSkip = offset == null ? 0 : count(offset, 0, Kind.NEGATIVE_OFFSET);
            last = null;
            counted.open();
            toReturn = share(limit, counted.count());
            return;
        }
        toReturn =
                limit == null ? Long.MAX_VALUE : count(limit, Long.MAX_VALUE, Kind.NEGATIVE_LIMIT);
        toSkip = offset == null ? 0 : count(offset, 0, Kind.NEGATIVE_OFFSET);
        last = null;
        if (ties == null && Operator.unwrapped(input) instanceof SortOperator sort) {
            sort.keep(toReturn > Long.MAX_VALUE - toSkip ? Long.MAX_VALUE : toReturn + toSkip);
        }
        input.open();
    }

    private long count(Plan.Count count, long ofNull, Kind negative) {
        long rows = count.value().evalLong(frame);
        if (frame.isNull) {
            return ofNull;
        }
        if (rows < 0) {
            String clause = negative == Kind.NEGATIVE_LIMIT ? "LIMIT" : "OFFSET";
            throw count.place().error(negative, clause + " cannot be negative");
        }
        return rows;
    }

    /// That many percent of all rows, rounded up.
    private long share(Plan.Count percent, long rows) {
        double share = percent.value().evalDouble(frame);
        if (frame.isNull) {
            return Long.MAX_VALUE;
        }
        if (!(share >= 0 && share <= 100)) {
            throw percent.place()
                    .error(Kind.NEGATIVE_LIMIT, "PERCENT is between 0 and 100, not " + share);
        }
        return BigDecimal.valueOf(share)
                .multiply(BigDecimal.valueOf(rows))
                .movePointLeft(2)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    @Override
    public boolean next() {
        if (toReturn == 0) {
            return last != null && nextTie(last);
        }
        while (toSkip > 0) {
            toSkip--;
            if (!input.next()) {
                toReturn = 0;
                return false;
            }
        }
        toReturn--;
        boolean more = input.next();
        if (more && ties != null && toReturn == 0) {
            last = KeptRows.copy(input.row(), shapes);
        }
        return more;
    }

    /// Whether there is another row equal to `counted`, the last one within the limit.
    private boolean nextTie(Tuple counted) {
        if (ties != null && input.next() && ties.compareRows(counted, input.row()) == 0) {
            return true;
        }
        last = null;
        return false;
    }

    @Override
    public Row row() {
        return input.row();
    }

    @Override
    public void close() {
        last = null;
        input.close();
    }
}
