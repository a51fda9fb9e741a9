package dev.oriel.sql.run;

import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.SpanLibrary;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Intervals.Span;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.value.Tuple;

/// SUM and AVG of intervals.
final class SpanAccumulator implements Accumulator {
    private static final Span NOTHING = new Span(0, 0, 0);

    private final Scalar argument;
    private final boolean average;
    private final Place place;
    private Span sum = NOTHING;
    private long count;

    SpanAccumulator(Scalar argument, boolean average, Place place) {
        this.argument = argument;
        this.average = average;
        this.place = place;
    }

    @Override
    public void add(Frame frame) {
        byte[] value = argument.evalBytes(frame);
        if (value != null) {
            add(Intervals.span(value));
            count++;
        }
    }

    @Override
    public boolean removes() {
        return true;
    }

    @Override
    public boolean remove(Frame frame) {
        byte[] value = argument.evalBytes(frame);
        if (value != null) {
            add(Intervals.span(value).negated());
            count--;
        }
        return true;
    }

    private void add(Span span) {
        try {
            sum = sum.plus(span);
        } catch (ArithmeticException beyond) {
            throw Integers.outOfRange(Typing.INTERVAL, place);
        }
    }

    @Override
    public void result(Tuple out, int column) {
        if (count == 0) {
            out.setNull(column);
            return;
        }
        try {
            out.setBytes(column, average ? SpanLibrary.divided(sum, count) : Intervals.bytes(sum));
        } catch (ArithmeticException beyond) {
            throw Integers.outOfRange(Typing.INTERVAL, place);
        }
    }

    @Override
    public boolean clear() {
        sum = NOTHING;
        count = 0;
        return true;
    }
}
