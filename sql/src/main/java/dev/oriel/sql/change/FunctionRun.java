package dev.oriel.sql.change;

import dev.oriel.sql.plan.Body;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call of a function of SQL that runs statements.
public final class FunctionRun {
    private FunctionRun() {}

    /// The value of the call: a Long, Double, BigDecimal, String or bytes.
    ///
    /// @param body its values are the parameters, then the result
    /// @param arguments the name, then one for each parameter
    /// @param unfinished whether the calling statement has not yet changed all of its rows
    public static @Nullable Object value(
            SqlFunction function,
            Body body,
            List<Scalar> arguments,
            Frame frame,
            Execution execution,
            boolean unfinished) {
        StatementTriggers.checkDepth(execution);
        int count = function.parameters().size();
        Tuple values = new Tuple(count + 1);
        values.setNull(count);
        for (int i = 0; i < count; i++) {
            arguments.get(i + 1).store(values, i, frame);
            if (function.traits().strict() && values.isNull(i)) {
                return null;
            }
        }
        new BodyRun(body, values, execution, unfinished).run();
        if (values.isNull(count)) {
            return null;
        }
        return switch (function.type().shape()) {
            case LONG -> values.longAt(count);
            case DOUBLE -> values.doubleAt(count);
            case DECIMAL -> values.decimalAt(count);
            case TEXT, FOLDED -> values.textAt(count);
            case BYTES -> values.bytesAt(count);
        };
    }
}
