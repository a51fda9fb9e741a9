package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.ColumnDefinition;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.OnCommit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement about a partition.
public sealed interface PartitionStatement {
    /// Name of the partition, or of its index.
    Identifier name();

    /// CREATE TABLE ... PARTITION OF.
    ///
    /// @param columns options of columns, whose types are not given
    /// @param temporary null for a partition that outlives its session
    /// @param partitioned null if the partition has none of its own
    record Create(
            boolean ifNotExists,
            Identifier name,
            Identifier parent,
            List<ColumnDefinition> columns,
            List<TableConstraint> constraints,
            PartitionBound bound,
            @Nullable OnCommit temporary,
            @Nullable PartitionBy partitioned)
            implements PartitionStatement {}

    /// ALTER INDEX ATTACH PARTITION.
    ///
    /// @param name index of the partitioned table
    /// @param part index of a partition
    record AttachIndex(Identifier name, Identifier part) implements PartitionStatement {}
}
