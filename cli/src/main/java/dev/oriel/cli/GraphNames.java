package dev.oriel.cli;

import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import dev.oriel.graph.schema.OrielSchema;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Graph;

/// Names of a graph's labels, properties and indexes.
record GraphNames(
        List<String> vertexLabels,
        List<String> edgeLabels,
        List<String> propertyKeys,
        List<String> indexes) {
    static GraphNames of(Graph graph) {
        return switch (graph) {
            case OrielGraph own -> {
                OrielSchema schema = own.schema();
                yield new GraphNames(
                        schema.vertexLabels(),
                        schema.edgeLabels(),
                        schema.propertyKeys(),
                        schema.indexLabels());
            }
            case TableGraph tables ->
                    new GraphNames(
                            tables.vertexLabels(),
                            tables.edgeLabels(),
                            tables.propertyKeys(),
                            List.of());
            default -> new GraphNames(List.of(), List.of(), List.of(), List.of());
        };
    }
}
