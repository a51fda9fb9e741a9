package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Index;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A constraint of a table, written with a column or after the columns.
public sealed interface TableConstraint {
    int position();

    @Nullable Identifier name();

    /// PRIMARY KEY or UNIQUE.
    ///
    /// @param nulls which NULLs are equal to each other
    /// @param deferred whether it is tested at the commit
    record KeyDefinition(
            int position,
            @Nullable Identifier name,
            boolean primary,
            Index.Nulls nulls,
            List<Identifier> columns,
            boolean deferred)
            implements TableConstraint {}

    record CheckDefinition(
            int position, @Nullable Identifier name, Expression condition, String text)
            implements TableConstraint {}

    /// FOREIGN KEY or REFERENCES.
    ///
    /// @param parentColumns empty for the parent's primary key
    /// @param deleted columns that ON DELETE sets to NULL or their default; empty for all of them
    record ForeignKeyDefinition(
            int position,
            @Nullable Identifier name,
            List<Identifier> columns,
            Identifier parent,
            List<Identifier> parentColumns,
            ForeignKey.Action onDelete,
            ForeignKey.Action onUpdate,
            ForeignKey.Deferral deferral,
            boolean full,
            List<Identifier> deleted)
            implements TableConstraint {}
}
