package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.ColumnDefinition;
import dev.oriel.sql.syntax.Statement.FillingClause;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One change of ALTER TABLE.
public sealed interface Alteration {
    /// ADD COLUMN.
    ///
    /// @param place null for the last one
    record AddColumn(
            boolean ifNotExists,
            ColumnDefinition column,
            List<TableConstraint> constraints,
            @Nullable ColumnPlace place)
            implements Alteration {}

    /// Position of a new column: FIRST, BEFORE or AFTER, as in MySQL and H2.
    ///
    /// @param beside null for FIRST
    record ColumnPlace(@Nullable Identifier beside, boolean after) {}

    record DropColumn(boolean ifExists, Identifier column, boolean cascade) implements Alteration {}

    record RenameColumn(Identifier column, Identifier to) implements Alteration {}

    record RenameTo(Identifier to) implements Alteration {}

    record RenameConstraint(Identifier constraint, Identifier to) implements Alteration {}

    /// An option of a column's storage or statistics, which has no effect.
    record TuneColumn(Identifier column) implements Alteration {}

    /// ALTER COLUMN ... TYPE.
    ///
    /// @param using null to convert the value
    record ChangeType(Identifier column, Type type, @Nullable Expression using)
            implements Alteration {}

    /// SET and DROP ON UPDATE.
    ///
    /// @param clause null for DROP
    record SetUpdate(Identifier column, FillingClause.@Nullable Default clause)
            implements Alteration {}

    /// SET and DROP DEFAULT.
    ///
    /// @param filling null for DROP DEFAULT
    record SetFilling(Identifier column, @Nullable FillingClause filling) implements Alteration {}

    /// SET and DROP DEFAULT ON NULL.
    record FillNull(Identifier column, boolean on) implements Alteration {}

    /// DROP EXPRESSION: the generated column keeps its values, and becomes an ordinary one.
    record DropExpression(Identifier column, boolean ifExists) implements Alteration {}

    record SetNullable(Identifier column, boolean nullable) implements Alteration {}

    /// SET GENERATED, SET with options of the sequence, and RESTART of an identity column.
    ///
    /// @param always null if it stays as it is
    record ChangeIdentity(Identifier column, @Nullable Boolean always, SequenceOptions options)
            implements Alteration {}

    record DropIdentity(Identifier column, boolean ifExists) implements Alteration {}

    /// VALIDATE CONSTRAINT: all are valid, since NOT VALID does not skip the check of the rows.
    record ValidateConstraint(Identifier constraint) implements Alteration {}

    /// ATTACH PARTITION.
    record AttachPartition(Identifier partition, PartitionBound bound) implements Alteration {}

    /// DETACH PARTITION.
    record DetachPartition(Identifier partition) implements Alteration {}

    /// ALTER CONSTRAINT of a foreign key.
    record ChangeDeferral(Identifier constraint, ForeignKey.Deferral deferral)
            implements Alteration {}

    /// A change of a column, if there is such a column.
    record IfColumnExists(Identifier column, Alteration change) implements Alteration {}

    record AddConstraint(TableConstraint constraint) implements Alteration {}

    /// DROP CONSTRAINT, or DROP PRIMARY KEY.
    ///
    /// @param constraint its name; the primary key, if it is empty
    /// @param foreign whether it must be a foreign key
    record DropConstraint(boolean ifExists, Identifier constraint, boolean cascade, boolean foreign)
            implements Alteration {}
}
