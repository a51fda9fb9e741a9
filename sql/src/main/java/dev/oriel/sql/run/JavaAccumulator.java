package dev.oriel.sql.run;

import dev.oriel.sql.JavaAggregate;
import dev.oriel.sql.JavaObjects;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.JavaCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An aggregate that is written in Java.
final class JavaAccumulator implements Accumulator {
    private final JavaAggregate aggregate;
    private final List<Scalar> arguments;
    private final Place place;
    private final JavaAggregate.State state;

    /// @param arguments the name first, as [JavaCalls] binds them
    JavaAccumulator(JavaAggregate aggregate, List<Scalar> arguments, Place place) {
        this.aggregate = aggregate;
        this.arguments = arguments;
        this.place = place;
        this.state = aggregate.states().get();
    }

    @Override
    public void add(Frame frame) {
        @Nullable Object[] values =
                JavaCall.values(aggregate.parameters(), arguments, frame, place);
        if (values == null) {
            return;
        }
        try {
            state.add(values);
        } catch (Exception failure) {
            throw JavaCall.failed(aggregate.name(), failure, place);
        }
    }

    @Override
    public void result(Tuple out, int column) {
        try {
            JavaObjects.store(state.result(), aggregate.result(), out, column);
        } catch (Exception failure) {
            throw JavaCall.failed(aggregate.name(), failure, place);
        }
    }
}
