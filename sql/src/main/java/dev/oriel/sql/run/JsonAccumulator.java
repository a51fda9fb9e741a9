package dev.oriel.sql.run;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.JsonFunctions;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.table.value.Json;
import dev.oriel.table.value.JsonBuilder;
import dev.oriel.table.value.JsonException;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON_AGG, JSON_ARRAYAGG and JSON_OBJECTAGG: an array or an object of the rows' values.
final class JsonAccumulator implements Accumulator {
    private final AggregateCall call;
    private final List<Scalar> arguments;

    /// The values one after the other; member names stand before their values.
    private JsonBuilder values = new JsonBuilder();

    private JsonBuilder.@Nullable Open open;

    private final QueryMemory.Share share;
    private long held;

    JsonAccumulator(AggregateCall call, List<Scalar> arguments, QueryMemory.Share share) {
        this.call = call;
        this.arguments = arguments;
        this.share = share;
    }

    @Override
    public void add(Frame frame) {
        boolean objects = arguments.size() > 1;
        Scalar value = arguments.getLast();
        if (absent() && value.evalIsNull(frame)) {
            // Without values the result is empty, without rows it is NULL.
            if (open == null) {
                open = objects ? values.beginObject() : values.beginArray();
            }
            return;
        }
        try {
            if (open == null) {
                open = objects ? values.beginObject() : values.beginArray();
            }
            if (objects) {
                String name = arguments.getFirst().evalText(frame);
                if (name == null) {
                    throw call.place()
                            .error(
                                    Kind.INVALID_PARAMETER,
                                    "The name of a JSON member cannot be NULL");
                }
                open.name(name);
            } else {
                open.element();
            }
            JsonFunctions.put(value, frame, values);
        } catch (JsonException unfit) {
            throw JsonFunctions.unfit(unfit, call.place());
        }
        long more = values.length() - held;
        held += more;
        share.addToValue(more, held);
    }

    @Override
    public void close() {
        share.take(held);
        held = 0;
        open = null;
        values = new JsonBuilder();
    }

    private boolean absent() {
        return call.kind() == AggregateFunction.JSON_ARRAYAGG
                || call.kind() == AggregateFunction.JSON_OBJECTAGG_ABSENT;
    }

    @Override
    public void result(Tuple out, int column) {
        if (open == null) {
            out.setNull(column);
            return;
        }
        try {
            out.setBytes(column, Json.checked(open.soFar()));
        } catch (JsonException tooDeep) {
            throw JsonFunctions.unfit(tooDeep, call.place());
        }
    }
}
