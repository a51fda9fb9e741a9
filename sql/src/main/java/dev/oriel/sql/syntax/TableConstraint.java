package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.ForeignKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A constraint of a table, written with a column or after the columns.
public sealed interface TableConstraint {
    int position();

    @Nullable Identifier name();

    /// PRIMARY KEY or UNIQUE.
    ///
    /// @param nullsEqual whether NULLs are equal to each other (NULLS NOT DISTINCT)
    record KeyDefinition(
            int position,
            @Nullable Identifier name,
            boolean primary,
            boolean nullsEqual,
            List<Identifier> columns)
            implements TableConstraint {}

    record CheckDefinition(
            int position, @Nullable Identifier name, Expression condition, String text)
            implements TableConstraint {}

    /// FOREIGN KEY or REFERENCES.
    ///
    /// @param parentColumns empty for the parent's primary key
    record ForeignKeyDefinition(
            int position,
            @Nullable Identifier name,
            List<Identifier> columns,
            Identifier parent,
            List<Identifier> parentColumns,
            ForeignKey.Action onDelete,
            ForeignKey.Action onUpdate,
            ForeignKey.Deferral deferral,
            boolean full)
            implements TableConstraint {}
}
