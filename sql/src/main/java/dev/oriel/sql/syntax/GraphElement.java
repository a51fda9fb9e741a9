package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of vertices or edges in CREATE PROPERTY GRAPH.
///
/// @param alias the table's own name if no other is given
/// @param key empty for the primary key
/// @param source null for a vertex table, as is `target`
/// @param properties null if omitted: all columns
public record GraphElement(
        Identifier table,
        Identifier alias,
        List<Identifier> key,
        @Nullable GraphEnd source,
        @Nullable GraphEnd target,
        Identifier label,
        @Nullable GraphProperties properties) {
    /// The source or destination of an edge table.
    ///
    /// @param columns empty to use the columns of a foreign key
    /// @param referred columns of the vertices; empty for their primary key
    public record GraphEnd(
            int position, List<Identifier> columns, Identifier vertex, List<Identifier> referred) {}

    /// The columns that become properties.
    public sealed interface GraphProperties {
        record All(List<Identifier> except) implements GraphProperties {}

        /// Columns with their names in the graph.
        record Listed(List<Identifier> columns, List<Identifier> names)
                implements GraphProperties {}
    }
}
