package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What changes schemas, or which schema something belongs to.
public sealed interface SchemaStatement {
    /// CREATE SCHEMA.
    ///
    /// @param elements what is created in it at once
    record Create(boolean ifNotExists, Identifier name, List<Statement.Definition> elements)
            implements SchemaStatement {}

    record Drop(boolean ifExists, List<Identifier> names, boolean cascade)
            implements SchemaStatement {}

    /// ALTER SCHEMA.
    ///
    /// @param to null where nothing changes: only its owner, and there are none
    record Alter(Identifier name, @Nullable Identifier to) implements SchemaStatement {}

    /// ALTER ... SET SCHEMA.
    record Move(Kind kind, boolean ifExists, Identifier name, Identifier to)
            implements SchemaStatement {}

    /// Kinds of what can be moved to another schema.
    enum Kind {
        TABLE,
        VIEW,
        SEQUENCE
    }
}
