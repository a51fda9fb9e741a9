package dev.oriel.sql.plan;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Trigger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plans of what the catalog keeps as text and statements run.
public interface Bodies {
    /// The plan of `trigger`, which is in `catalog`.
    TriggerPlan trigger(Trigger trigger, Catalog catalog);

    /// The plan of the body of `procedure`, which is in `catalog`. Its values are the parameters.
    Body procedure(Procedure procedure, Catalog catalog);

    /// The value of a call of `function`, which runs statements: a Long, Double, BigDecimal, String or bytes.
    ///
    /// @param arguments its name, then one for each parameter
    /// @param unfinished whether the calling statement has not yet changed all of its rows
    @Nullable Object call(
            SqlFunction function,
            List<Scalar> arguments,
            Frame frame,
            Execution execution,
            boolean unfinished);

    /// The plan of the statements `text` of DO.
    Body block(String text, Catalog catalog);
}
