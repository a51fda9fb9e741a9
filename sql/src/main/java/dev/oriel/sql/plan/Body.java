package dev.oriel.sql.plan;

import dev.oriel.sql.text.SqlText.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The planned statements of a trigger or a routine. They run one after the other. Its values, such as the columns of
/// OLD and NEW, are the parameters of each ([Scalar.ParameterRef]).
public record Body(List<Step> steps) {
    public Body {
        steps = List.copyOf(steps);
    }

    /// A statement.
    public sealed interface Step {
        /// A query or a change of rows. The rows of `old` and `fresh` are kept under these numbers.
        ///
        /// @param old number of the rows before the change that fires a trigger
        /// @param fresh number of the rows after it
        /// @param into values of the body that the first row of its result gives; empty for none
        record Run(Command command, int old, int fresh, List<Command.Assignment> into)
                implements Step {}

        /// Gives values of the body other values.
        ///
        /// @param values by position in the values of the body
        record Assign(List<Command.Assignment> values) implements Step {}

        /// Fails.
        record Signal(String state, @Nullable Scalar message, Place place) implements Step {}
    }
}
