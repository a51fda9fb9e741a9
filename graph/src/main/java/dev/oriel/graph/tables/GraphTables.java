package dev.oriel.graph.tables;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tables of a property graph in one version of the catalog. Immutable.
record GraphTables(long version, Map<String, ElementTable> vertices, Map<String, EdgeEnds> edges) {
    /// @throws IllegalStateException if the graph no longer exists
    static GraphTables of(Catalog catalog, String name) {
        PropertyGraph graph = catalog.graph(SearchPath.named("", name));
        if (graph == null) {
            throw new IllegalStateException(
                    "There is no property graph " + name + "; it was dropped");
        }
        Map<String, ElementTable> vertices = new LinkedHashMap<>();
        Map<String, ElementTable> byAlias = new LinkedHashMap<>();
        for (PropertyGraph.Element vertex : graph.vertices()) {
            ElementTable table = new ElementTable(vertex, table(catalog, vertex));
            vertices.put(vertex.label(), table);
            byAlias.put(folded(vertex.alias()), table);
        }
        Map<String, EdgeEnds> edges = new LinkedHashMap<>();
        for (PropertyGraph.EdgeTable edge : graph.edges()) {
            ElementTable table = new ElementTable(edge.element(), table(catalog, edge.element()));
            edges.put(
                    edge.element().label(),
                    new EdgeEnds(
                            table,
                            EdgeEnds.of(table, end(byAlias, edge.source()), edge.source()),
                            EdgeEnds.of(table, end(byAlias, edge.target()), edge.target())));
        }
        return new GraphTables(catalog.version(), vertices, edges);
    }

    private static ElementTable end(Map<String, ElementTable> byAlias, PropertyGraph.End end) {
        ElementTable found = byAlias.get(folded(end.vertex()));
        if (found == null) {
            throw new IllegalStateException("an edge table without vertices: " + end);
        }
        return found;
    }

    private static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    private static Table table(Catalog catalog, PropertyGraph.Element element) {
        @Nullable Table table = catalog.table(element.table());
        if (table == null) {
            throw new IllegalStateException("a graph without its table: " + element);
        }
        return table;
    }
}
