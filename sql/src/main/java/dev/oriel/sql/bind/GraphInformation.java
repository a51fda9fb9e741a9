package dev.oriel.sql.bind;

import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.PropertyGraph;
import dev.oriel.table.definition.PropertyGraph.EdgeTable;
import dev.oriel.table.definition.PropertyGraph.Element;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Property graphs as tables of the information schema, with the names of SQL/PGQ.
final class GraphInformation {
    static final List<String> NAMES =
            List.of(
                    "property_graphs",
                    "pg_element_tables",
                    "pg_element_table_key_columns",
                    "pg_edge_table_components",
                    "pg_element_table_labels",
                    "pg_element_table_properties");

    private static final String VERTEX = "VERTEX";
    private static final String EDGE = "EDGE";

    private GraphInformation() {}

    /// The table `name`, or null if it is none of these.
    static @Nullable InformationSchema of(String name, Catalog catalog) {
        return switch (name) {
            case "property_graphs" -> graphs(catalog);
            case "pg_element_tables" -> elements(catalog);
            case "pg_element_table_key_columns" -> keys(catalog);
            case "pg_edge_table_components" -> ends(catalog);
            case "pg_element_table_labels" -> labels(catalog);
            case "pg_element_table_properties" -> properties(catalog);
            default -> null;
        };
    }

    /// Takes an element table.
    private interface Sink {
        void element(PropertyGraph graph, Element element, String kind);
    }

    private static void each(Catalog catalog, Sink sink) {
        for (PropertyGraph graph : catalog.graphs()) {
            graph.vertices().forEach(vertex -> sink.element(graph, vertex, VERTEX));
            graph.edges().forEach(edge -> sink.element(graph, edge.element(), EDGE));
        }
    }

    private static @Nullable String table(Catalog catalog, Element element) {
        Table table = catalog.table(element.table());
        return table == null ? null : table.name();
    }

    private static @Nullable String schema(Catalog catalog, Element element) {
        Table table = catalog.table(element.table());
        return table == null ? null : SearchPath.shown(table.schema());
    }

    private static InformationSchema graphs(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(catalog, "property_graph_schema", "property_graph_name");
        catalog.graphs().forEach(graph -> made.add("", graph.name()));
        return made;
    }

    private static InformationSchema elements(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "property_graph_schema",
                        "property_graph_name",
                        "element_table_alias",
                        "element_table_kind",
                        "table_name",
                        "table_schema");
        each(
                catalog,
                (graph, element, kind) ->
                        made.add(
                                "",
                                graph.name(),
                                element.alias(),
                                kind,
                                table(catalog, element),
                                schema(catalog, element)));
        return made;
    }

    private static InformationSchema keys(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "property_graph_schema",
                        "property_graph_name",
                        "element_table_alias",
                        "column_name",
                        "ordinal_position");
        each(
                catalog,
                (graph, element, _) -> {
                    for (int i = 0; i < element.key().size(); i++) {
                        made.add("", graph.name(), element.alias(), element.key().get(i), i + 1);
                    }
                });
        return made;
    }

    private static InformationSchema ends(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "property_graph_schema",
                        "property_graph_name",
                        "edge_table_alias",
                        "vertex_table_alias",
                        "edge_end",
                        "edge_table_column_name",
                        "vertex_table_column_name",
                        "ordinal_position");
        for (PropertyGraph graph : catalog.graphs()) {
            for (EdgeTable edge : graph.edges()) {
                addEnd(made, graph, edge, edge.source(), "SOURCE");
                addEnd(made, graph, edge, edge.target(), "DESTINATION");
            }
        }
        return made;
    }

    private static void addEnd(
            InformationSchema made,
            PropertyGraph graph,
            EdgeTable edge,
            PropertyGraph.End end,
            String which) {
        Element vertex = graph.vertex(end.vertex());
        for (int i = 0; i < end.columns().size(); i++) {
            made.add(
                    "",
                    graph.name(),
                    edge.element().alias(),
                    end.vertex(),
                    which,
                    end.columns().get(i),
                    vertex == null ? null : vertex.key().get(i),
                    i + 1);
        }
    }

    private static InformationSchema labels(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "property_graph_schema",
                        "property_graph_name",
                        "element_table_alias",
                        "label_name");
        each(
                catalog,
                (graph, element, _) ->
                        made.add("", graph.name(), element.alias(), element.label()));
        return made;
    }

    private static InformationSchema properties(Catalog catalog) {
        InformationSchema made =
                new InformationSchema(
                        catalog,
                        "property_graph_schema",
                        "property_graph_name",
                        "element_table_alias",
                        "property_name",
                        "property_expression");
        each(
                catalog,
                (graph, element, _) ->
                        element.properties()
                                .forEach(property ->
                                        made.add(
                                                "",
                                                graph.name(),
                                                element.alias(),
                                                property.name(),
                                                property.column())));
        return made;
    }
}
