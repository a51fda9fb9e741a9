package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.TableConstraint.CheckDefinition;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement about types and domains.
public sealed interface TypeStatement {
    int position();

    record CreateEnum(int position, Identifier name, List<Identifier> labels)
            implements TypeStatement {}

    /// CREATE TYPE of attributes.
    record CreateComposite(int position, Identifier name, List<NewAttribute> attributes)
            implements TypeStatement {}

    /// A declared attribute.
    record NewAttribute(Identifier name, Type type) {}

    /// ALTER TYPE with actions on attributes.
    record AlterAttributes(int position, Identifier name, List<AttributeChange> changes)
            implements TypeStatement {}

    /// An action on an attribute.
    sealed interface AttributeChange {
        record Add(NewAttribute attribute) implements AttributeChange {}

        record Drop(Identifier name, boolean ifExists) implements AttributeChange {}

        record Rename(Identifier name, Identifier to) implements AttributeChange {}

        record Retype(NewAttribute attribute) implements AttributeChange {}
    }

    /// CREATE DOMAIN.
    record CreateDomain(
            int position,
            Identifier name,
            Type base,
            boolean required,
            FillingClause.@Nullable Default filling,
            List<CheckDefinition> checks)
            implements TypeStatement {}

    /// A statement that is run if there is a type `name`, or if there is none.
    ///
    /// @param exists which of both
    record Conditional(int position, Identifier name, boolean exists, TypeStatement statement)
            implements TypeStatement {}

    /// ALTER TYPE ADD VALUE.
    ///
    /// @param neighbour existing label to insert it next to; null to append it
    /// @param before whether to insert it before that label
    record AddLabel(
            int position,
            Identifier name,
            boolean ifNotExists,
            Identifier label,
            @Nullable Identifier neighbour,
            boolean before)
            implements TypeStatement {}

    record RenameLabel(int position, Identifier name, Identifier from, Identifier to)
            implements TypeStatement {}

    /// ALTER TYPE or DOMAIN RENAME TO.
    record RenameType(int position, boolean domain, Identifier name, Identifier to)
            implements TypeStatement {}

    /// ALTER DOMAIN SET and DROP DEFAULT.
    record SetDomainDefault(int position, Identifier name, FillingClause.@Nullable Default filling)
            implements TypeStatement {}

    /// ALTER DOMAIN SET and DROP NOT NULL.
    record SetDomainRequired(int position, Identifier name, boolean required)
            implements TypeStatement {}

    record AddDomainCheck(int position, Identifier name, CheckDefinition check)
            implements TypeStatement {}

    record DropDomainCheck(int position, Identifier name, boolean ifExists, Identifier check)
            implements TypeStatement {}

    record RenameDomainCheck(int position, Identifier name, Identifier from, Identifier to)
            implements TypeStatement {}

    /// DROP TYPE or DOMAIN.
    record DropTypes(
            int position, boolean domain, boolean ifExists, List<Identifier> names, boolean cascade)
            implements TypeStatement {}
}
