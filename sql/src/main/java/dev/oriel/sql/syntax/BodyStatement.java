package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement in the body of a trigger or a routine.
public sealed interface BodyStatement {
    /// A query or a change of rows.
    record Run(Statement statement) implements BodyStatement {}

    /// SET: gives values of the body other values, all of them computed from the former ones.
    record Assign(List<Target> targets) implements BodyStatement {}

    /// `name = expression` or `row.name = expression`.
    ///
    /// @param row name of the row; null for a value by itself
    record Target(@Nullable Identifier row, Identifier name, Expression value) {}

    /// SIGNAL: fails.
    ///
    /// @param message null for the usual one
    record Signal(int position, String state, @Nullable Expression message)
            implements BodyStatement {}

    /// CALL of a procedure.
    record Call(Identifier name, List<Expression> arguments) implements BodyStatement {}

    /// Position for errors without one.
    default int position() {
        return switch (this) {
            case Run run -> run.statement().position();
            case Assign assign -> assign.targets().getFirst().name().position();
            case Signal signal -> signal.position();
            case Call call -> call.name().position();
        };
    }
}
