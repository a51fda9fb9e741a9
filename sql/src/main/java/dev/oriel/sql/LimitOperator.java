package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import org.jspecify.annotations.Nullable;

/// Passes over some rows, and ends after some more without asking its input again.
final class LimitOperator implements Operator {
    private final Operator input;
    private final Plan.@Nullable Count limit;
    private final Plan.@Nullable Count offset;
    private final Frame frame;
    private long toSkip;
    private long toReturn;

    LimitOperator(Operator input, Plan.Limit plan, Execution execution) {
        this.input = input;
        this.limit = plan.limit();
        this.offset = plan.offset();
        this.frame = new Frame(execution, new Tuple(0));
    }

    @Override
    public void open() {
        toReturn = limit == null ? Long.MAX_VALUE : count(limit, Long.MAX_VALUE, "LIMIT");
        toSkip = offset == null ? 0 : count(offset, 0, "OFFSET");
        if (Operator.unwrapped(input) instanceof SortOperator sort) {
            sort.keep(toReturn > Long.MAX_VALUE - toSkip ? Long.MAX_VALUE : toReturn + toSkip);
        }
        input.open();
    }

    private long count(Plan.Count count, long ofNull, String clause) {
        long rows = count.value().evalLong(frame);
        if (frame.isNull) {
            return ofNull;
        }
        if (rows < 0) {
            throw count.place().error(Kind.INVALID_VALUE, clause + " cannot be negative");
        }
        return rows;
    }

    @Override
    public boolean next() {
        if (toReturn == 0) {
            return false;
        }
        while (toSkip > 0) {
            toSkip--;
            if (!input.next()) {
                toReturn = 0;
                return false;
            }
        }
        toReturn--;
        return input.next();
    }

    @Override
    public Row row() {
        return input.row();
    }

    @Override
    public void close() {
        input.close();
    }
}
