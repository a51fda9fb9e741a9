package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of vertices or edges in CREATE PROPERTY GRAPH.
///
/// @param alias the table's own name where no other is given
/// @param key empty for the primary key
/// @param source null of a table of vertices; so is `target`
/// @param properties null where nothing is said: all columns
public record GraphElement(
        Identifier table,
        Identifier alias,
        List<Identifier> key,
        @Nullable GraphEnd source,
        @Nullable GraphEnd target,
        Identifier label,
        @Nullable GraphProperties properties) {
    /// Where edges begin or end.
    ///
    /// @param columns empty where a foreign key says it
    /// @param referred columns of the vertices; empty for their primary key
    public record GraphEnd(
            int position, List<Identifier> columns, Identifier vertex, List<Identifier> referred) {}

    /// Which columns become properties.
    public sealed interface GraphProperties {
        record All(List<Identifier> except) implements GraphProperties {}

        /// Columns, and what the graph calls each.
        record Listed(List<Identifier> columns, List<Identifier> names)
                implements GraphProperties {}
    }
}
