package dev.oriel.table.definition;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Tables seen as a graph: rows of some are vertices, rows of others are edges, which refer to vertices by their
/// keys. It is only a view of them: it holds no rows of its own.
///
/// Tables are known by number, columns by name. Tables and columns of a graph can neither be dropped nor renamed.
///
/// @param id stable number, of the numbers of tables
public record PropertyGraph(long id, String name, List<Element> vertices, List<EdgeTable> edges) {
    public PropertyGraph {
        vertices = List.copyOf(vertices);
        edges = List.copyOf(edges);
    }

    /// A table whose rows are elements.
    ///
    /// @param alias name of the table in the graph
    /// @param label of all its elements
    /// @param table its number
    /// @param key columns that identify an element: the primary key's, in its order
    /// @param properties the visible columns
    public record Element(
            String alias, String label, long table, List<String> key, List<Property> properties) {
        public Element {
            key = List.copyOf(key);
            properties = List.copyOf(properties);
        }

        /// Whether a column of this name is part of it.
        boolean uses(String column) {
            for (Property property : properties) {
                if (property.column().equalsIgnoreCase(column)) {
                    return true;
                }
            }
            return PropertyGraph.has(key, column);
        }
    }

    /// A column, and its name in the graph.
    public record Property(String name, String column) {}

    /// A table whose rows are edges.
    public record EdgeTable(Element element, End source, End target) {
        boolean uses(String column) {
            return element.uses(column)
                    || PropertyGraph.has(source.columns, column)
                    || PropertyGraph.has(target.columns, column);
        }
    }

    /// The source or target of edges.
    ///
    /// @param vertex alias of the table of vertices
    /// @param columns of the edge's table, whose values are the key of a vertex, in its order
    public record End(String vertex, List<String> columns) {
        public End {
            columns = List.copyOf(columns);
        }
    }

    public PropertyGraph withId(long other) {
        return new PropertyGraph(other, name, vertices, edges);
    }

    /// The table of vertices of this alias, or null.
    public @Nullable Element vertex(String alias) {
        for (Element vertex : vertices) {
            if (vertex.alias.toUpperCase(Locale.ROOT).equals(alias.toUpperCase(Locale.ROOT))) {
                return vertex;
            }
        }
        return null;
    }

    /// Whether the table of this number is part of it.
    public boolean uses(long table) {
        return vertices.stream().anyMatch(vertex -> vertex.table == table)
                || edges.stream().anyMatch(edge -> edge.element.table == table);
    }

    /// Whether this column of the table of number `table` is part of it.
    public boolean uses(long table, String column) {
        return vertices.stream().anyMatch(vertex -> vertex.table == table && vertex.uses(column))
                || edges.stream()
                        .anyMatch(edge -> edge.element.table == table && edge.uses(column));
    }

    private static boolean has(List<String> names, String name) {
        return names.stream().anyMatch(name::equalsIgnoreCase);
    }
}
