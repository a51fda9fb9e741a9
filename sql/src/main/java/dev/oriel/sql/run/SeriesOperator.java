package dev.oriel.sql.run;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// GENERATE_SERIES: of integers, decimals, and timestamps by an interval.
final class SeriesOperator implements Operator {
    private final Plan.Series plan;
    private final Execution execution;
    private final Frame frame;
    private final Tuple row = new Tuple(1);
    private final Type.Shape shape;
    private long next;
    private long last;
    private long step;
    private @Nullable BigDecimal nextDecimal;
    private BigDecimal lastDecimal = BigDecimal.ZERO;
    private BigDecimal stepDecimal = BigDecimal.ZERO;
    private boolean ended = true;

    SeriesOperator(Plan.Series plan, Execution execution) {
        this.plan = plan;
        this.execution = execution;
        this.frame = new Frame(execution, new Tuple(0));
        this.shape = plan.type().shape();
    }

    @Override
    public void open() {
        ended = shape == Type.Shape.DECIMAL ? !openDecimals() : !openLongs();
    }

    /// Starts a series of integers; false if a bound is NULL.
    private boolean openLongs() {
        next = plan.first().evalLong(frame);
        boolean isNull = frame.isNull;
        last = plan.last().evalLong(frame);
        isNull |= frame.isNull;
        Intervals.Span span = plan.span();
        if (span == null) {
            step = plan.step().evalLong(frame);
            isNull |= frame.isNull;
        } else {
            if (!isNull && NonFinite.isMoment(next)) {
                throw plan.place()
                        .error(
                                Kind.INVALID_PARAMETER,
                                "GENERATE_SERIES cannot begin at infinity; give a date");
            }
            step = direction(span);
        }
        if (!isNull && step == 0) {
            throw standstill();
        }
        return !isNull;
    }

    private boolean openDecimals() {
        nextDecimal = plan.first().evalDecimal(frame);
        BigDecimal end = plan.last().evalDecimal(frame);
        BigDecimal by = plan.step().evalDecimal(frame);
        if (nextDecimal == null || end == null || by == null) {
            return false;
        }
        if (Decimals.areNonFinite(nextDecimal, end) || NonFinite.is(by)) {
            throw plan.place()
                    .error(Kind.INVALID_PARAMETER, "GENERATE_SERIES needs bounds that are finite");
        }
        if (by.signum() == 0) {
            throw standstill();
        }
        lastDecimal = end;
        stepDecimal = by;
        return true;
    }

    private SqlException standstill() {
        return plan.place()
                .error(Kind.INVALID_PARAMETER, "The step of GENERATE_SERIES cannot be 0");
    }

    /// Whether `span` leads to later moments (1), or to earlier ones (-1).
    private long direction(Intervals.Span span) {
        try {
            return Long.signum(later(span, 0));
        } catch (ArithmeticException beyond) {
            // At such distances the largest part decides, and doubles are exact enough.
            double days = 30.0 * span.months() + span.days();
            return (long) Math.signum(days * Temporals.MICROS_PER_DAY + span.micros());
        }
    }

    private long later(Intervals.Span span, long from) {
        return plan.type().name() == Type.Name.TIMESTAMP_TZ
                ? Intervals.later(from, span, execution.zone())
                : Intervals.later(from, span);
    }

    @Override
    public boolean next() {
        execution.poll();
        if (ended) {
            return false;
        }
        return shape == Type.Shape.DECIMAL ? nextDecimal() : nextLong();
    }

    private boolean nextDecimal() {
        BigDecimal value = nextDecimal;
        if (value == null || value.compareTo(lastDecimal) * stepDecimal.signum() > 0) {
            ended = true;
            return false;
        }
        row.setDecimal(0, value);
        nextDecimal = value.add(stepDecimal);
        return true;
    }

    private boolean nextLong() {
        if (step > 0 ? next > last : next < last) {
            ended = true;
            return false;
        }
        row.setLong(0, next);
        Intervals.Span span = plan.span();
        try {
            next = span == null ? Math.addExact(next, step) : later(span, next);
        } catch (ArithmeticException beyond) {
            // The next value overflows, and so is beyond the last one.
            ended = true;
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        ended = true;
    }
}
