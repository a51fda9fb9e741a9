package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.FunctionStatement.Signature;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SqlFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement about procedures.
public sealed interface ProcedureStatement {
    /// CREATE PROCEDURE.
    record Create(
            boolean orReplace,
            Identifier name,
            List<Procedure.Parameter> parameters,
            SqlFunction.Body body)
            implements ProcedureStatement {}

    /// DROP PROCEDURE, or DROP ROUTINE.
    ///
    /// @param functions whether the names may be functions
    record Drop(boolean ifExists, List<Signature> procedures, boolean cascade, boolean functions)
            implements ProcedureStatement {}

    /// COMMENT ON PROCEDURE.
    ///
    /// @param text null to remove the comment
    record Comment(Signature procedure, @Nullable String text) implements ProcedureStatement {}

    /// Position for errors without one.
    default int position() {
        return switch (this) {
            case Create create -> create.name().position();
            case Drop drop -> drop.procedures().getFirst().name().position();
            case Comment comment -> comment.procedure().name().position();
        };
    }
}
