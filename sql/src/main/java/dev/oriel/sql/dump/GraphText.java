package dev.oriel.sql.dump;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.PropertyGraph.EdgeTable;
import dev.oriel.table.definition.PropertyGraph.Element;
import dev.oriel.table.definition.PropertyGraph.End;
import dev.oriel.table.definition.PropertyGraph.Property;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;

/// The statement that defines a property graph.
final class GraphText {
    private final Catalog catalog;
    private final PropertyGraph graph;

    GraphText(Catalog catalog, PropertyGraph graph) {
        this.catalog = catalog;
        this.graph = graph;
    }

    String definition() {
        List<String> vertices = new ArrayList<>();
        for (Element vertex : graph.vertices()) {
            vertices.add(head(vertex) + tail(vertex));
        }
        List<String> edges = new ArrayList<>();
        for (EdgeTable edge : graph.edges()) {
            edges.add(
                    head(edge.element())
                            + end(" SOURCE", edge.source())
                            + end(" DESTINATION", edge.target())
                            + tail(edge.element()));
        }
        return "CREATE PROPERTY GRAPH "
                + NameText.of(graph.name())
                + (vertices.isEmpty() ? "" : "\n    VERTEX TABLES" + TableText.elements(vertices))
                + (edges.isEmpty() ? "" : "\n    EDGE TABLES" + TableText.elements(edges));
    }

    private String head(Element element) {
        Table table = catalog.table(element.table());
        if (table == null) {
            throw new IllegalStateException("a graph has lost a table: " + element.alias());
        }
        return NameText.of(table.schema(), table.name())
                + " AS "
                + NameText.of(element.alias())
                + " KEY "
                + NameText.list(element.key());
    }

    private static String tail(Element element) {
        List<String> properties = new ArrayList<>();
        for (Property property : element.properties()) {
            properties.add(NameText.of(property.column()) + " AS " + NameText.of(property.name()));
        }
        return " LABEL "
                + NameText.of(element.label())
                + (properties.isEmpty()
                        ? " NO PROPERTIES"
                        : " PROPERTIES (" + String.join(", ", properties) + ")");
    }

    private String end(String which, End end) {
        Element vertex = graph.vertex(end.vertex());
        if (vertex == null) {
            throw new IllegalStateException("a graph has lost its vertices: " + end.vertex());
        }
        return which
                + " KEY "
                + NameText.list(end.columns())
                + " REFERENCES "
                + NameText.of(end.vertex())
                + " "
                + NameText.list(vertex.key());
    }
}
