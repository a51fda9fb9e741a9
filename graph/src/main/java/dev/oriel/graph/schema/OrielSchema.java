package dev.oriel.graph.schema;

import dev.oriel.graph.element.StoredGraph;
import java.util.ArrayList;
import java.util.List;

/// Declares property keys, labels and indexes of a graph, in the manner of HugeGraph:
///
/// ```java
/// OrielSchema schema = graph.schema();
/// schema.propertyKey("name").asText().ifNotExist().create();
/// schema.propertyKey("age").asInt().valueSingle().ifNotExist().create();
/// schema.vertexLabel("person").properties("name", "age").nullableKeys("age").ifNotExist().create();
/// schema.indexLabel("personByAge").onV("person").by("age").range().ifNotExist().create();
/// ```
/// A declaration commits by itself. A declared label accepts only the properties that it names; each single-valued
/// one of a type that tables support gets a column. A change to an existing table waits until no transaction
/// writes, so the thread's own must have ended.
public final class OrielSchema {
    private final StoredGraph graph;

    public OrielSchema(StoredGraph graph) {
        this.graph = graph;
    }

    public PropertyKeyBuilder propertyKey(String name) {
        return new PropertyKeyBuilder(graph, name);
    }

    public VertexLabelBuilder vertexLabel(String name) {
        return new VertexLabelBuilder(graph, name);
    }

    public EdgeLabelBuilder edgeLabel(String name) {
        return new EdgeLabelBuilder(graph, name);
    }

    public IndexLabelBuilder indexLabel(String name) {
        return new IndexLabelBuilder(graph, name);
    }

    /// The names of all property keys, declared or not.
    public List<String> propertyKeys() {
        return sorted(graph.catalog().keys().byName().keySet());
    }

    /// The names of all vertex labels, declared or not.
    public List<String> vertexLabels() {
        return sorted(graph.catalog().vertexLabels().byName().keySet());
    }

    /// The names of all edge labels, declared or not.
    public List<String> edgeLabels() {
        return sorted(graph.catalog().edgeLabels().byName().keySet());
    }

    /// The names of all indexes over properties.
    public List<String> indexLabels() {
        return sorted(new GraphDefinitions(graph).indexes());
    }

    private static List<String> sorted(Iterable<String> names) {
        List<String> sorted = new ArrayList<>();
        names.forEach(sorted::add);
        sorted.sort(null);
        return sorted;
    }
}
