package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement that defines or drops functions whose body is a query.
public sealed interface FunctionStatement {
    /// CREATE FUNCTION.
    ///
    /// @param start position of the body's text
    record Create(
            boolean orReplace,
            Identifier name,
            List<Parameter> parameters,
            Result result,
            SqlFunction.Traits traits,
            SqlFunction.Body body,
            int start)
            implements FunctionStatement {}

    /// DROP FUNCTION.
    record Drop(boolean ifExists, List<Signature> functions, boolean cascade)
            implements FunctionStatement {}

    /// COMMENT ON FUNCTION.
    ///
    /// @param text null to remove the comment
    record Comment(Signature function, @Nullable String text) implements FunctionStatement {}

    /// ALTER FUNCTION, PROCEDURE or ROUTINE.
    record Alter(Kind kind, Signature routine, Change change) implements FunctionStatement {}

    /// Kinds of routines.
    enum Kind {
        FUNCTION,
        PROCEDURE,
        ROUTINE
    }

    /// A change of a routine.
    sealed interface Change {
        /// Another volatility or treatment of NULL; null keeps the present one.
        record Promises(@Nullable Boolean strict, SqlFunction.@Nullable Volatility volatility)
                implements Change {}

        record Rename(Identifier to) implements Change {}

        /// SET SCHEMA.
        record Move(Identifier to) implements Change {}

        /// A change without an effect here, as OWNER TO.
        record Nothing() implements Change {}
    }

    /// A parameter.
    ///
    /// @param name empty if it has none
    /// @param otherwise text of its default; null if it has none
    record Parameter(int position, String name, Type type, @Nullable String otherwise) {}

    /// The result: columns, or a table that has them.
    ///
    /// @param columns empty if `table` has them; a single value has no name
    /// @param table null if there are columns
    record Result(
            int position,
            boolean set,
            List<SqlFunction.Result> columns,
            @Nullable Identifier table) {}

    /// A function that is named with its parameters.
    ///
    /// @param types types of its parameters; null if they are omitted
    record Signature(Identifier name, @Nullable List<Type> types) {}

    /// Position for errors without one.
    default int position() {
        return switch (this) {
            case Create create -> create.name().position();
            case Drop drop -> drop.functions().getFirst().name().position();
            case Alter alter -> alter.routine().name().position();
            case Comment comment -> comment.function().name().position();
        };
    }
}
