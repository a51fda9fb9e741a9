package dev.oriel.sql.run;

import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.io.ByteArrayOutputStream;

/// ARRAY_AGG: an array of all values, NULL among them; of no rows NULL.
final class ArrayAccumulator implements Accumulator {
    private final Scalar value;
    private final Type element;
    private final Tuple one = new Tuple(1);

    /// The elements in the encoding of arrays, one after the other.
    private final ByteArrayOutputStream elements = new ByteArrayOutputStream();

    private final QueryMemory.Share share;
    private long held;
    private boolean any;

    ArrayAccumulator(Scalar value, QueryMemory.Share share) {
        this.value = value;
        this.element = Typing.plain(value.type());
        this.share = share;
    }

    @Override
    public void add(Frame frame) {
        value.store(one, 0, frame);
        elements.writeBytes(ArrayValue.of(element, one, 1));
        any = true;
        long more = elements.size() - held;
        held += more;
        share.addToValue(more, held);
    }

    @Override
    public void close() {
        share.take(held);
        held = 0;
        elements.reset();
        any = false;
    }

    @Override
    public void result(Tuple out, int column) {
        out.setBytes(column, any ? elements.toByteArray() : null);
    }
}
