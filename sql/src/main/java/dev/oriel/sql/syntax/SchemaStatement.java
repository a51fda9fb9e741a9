package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement that changes schemas, or moves an object to another schema.
public sealed interface SchemaStatement {
    /// CREATE SCHEMA.
    ///
    /// @param elements definitions to create in it at once
    record Create(boolean ifNotExists, Identifier name, List<Statement.Definition> elements)
            implements SchemaStatement {}

    record Drop(boolean ifExists, List<Identifier> names, boolean cascade)
            implements SchemaStatement {}

    /// DROP ALL OBJECTS, as in H2.
    record DropAll(int position) implements SchemaStatement {}

    /// ALTER SCHEMA.
    ///
    /// @param to null if only the owner changes, which has no effect
    record Alter(Identifier name, @Nullable Identifier to) implements SchemaStatement {}

    /// ALTER ... SET SCHEMA.
    record Move(Kind kind, boolean ifExists, Identifier name, Identifier to)
            implements SchemaStatement {}

    /// Kinds of objects that can move to another schema.
    enum Kind {
        TABLE,
        VIEW,
        SEQUENCE
    }
}
