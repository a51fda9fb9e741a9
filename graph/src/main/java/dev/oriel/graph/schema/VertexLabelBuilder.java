package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.LabelRules.IdStrategy;
import dev.oriel.graph.element.StoredGraph;
import java.util.List;

/// Declares a vertex label: ids that the graph allots, unless said otherwise.
public final class VertexLabelBuilder {
    private final StoredGraph graph;
    private final String name;
    private IdStrategy ids = IdStrategy.AUTOMATIC;
    private List<String> keys = List.of();
    private List<String> properties = List.of();
    private List<String> nullable = List.of();
    private long ttlMillis;
    private boolean ifNotExist;

    VertexLabelBuilder(StoredGraph graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    /// All that its vertices may have; the keys must be declared.
    public VertexLabelBuilder properties(String... names) {
        properties = List.of(names);
        return this;
    }

    /// Those of the properties that a vertex need not have.
    public VertexLabelBuilder nullableKeys(String... names) {
        nullable = List.of(names);
        return this;
    }

    /// Ids are `LABEL:VALUE!VALUE`, made of these properties; to add a vertex with the values of one that
    /// exists changes that one.
    public VertexLabelBuilder primaryKeys(String... names) {
        keys = List.of(names);
        ids = IdStrategy.PRIMARY_KEY;
        return this;
    }

    public VertexLabelBuilder useAutomaticId() {
        ids = IdStrategy.AUTOMATIC;
        return this;
    }

    public VertexLabelBuilder useCustomizeStringId() {
        ids = IdStrategy.CUSTOM_STRING;
        return this;
    }

    public VertexLabelBuilder useCustomizeNumberId() {
        ids = IdStrategy.CUSTOM_NUMBER;
        return this;
    }

    public VertexLabelBuilder useCustomizeUuidId() {
        ids = IdStrategy.CUSTOM_UUID;
        return this;
    }

    /// Vertices are there for so long after they were added, 1 millisecond or more; then they are absent
    /// for all readers, SQL's too, and removed some time later. Edges to them need a label with a ttl too, and
    /// expire with the first of their ends.
    public VertexLabelBuilder ttl(long millis) {
        ttlMillis = LabelRules.checkedTtl(millis);
        return this;
    }

    /// Lets [#create()] do nothing where there is a label of the name.
    public VertexLabelBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Creates the label.
    ///
    /// @throws IllegalArgumentException if there is a label of the name, or a key is not declared
    public void create() {
        LabelRules rules = new LabelRules(true, ids, keys, properties, nullable, ttlMillis);
        new GraphDefinitions(graph).createVertexLabel(name, rules, ifNotExist);
    }

    /// Adds the properties named here to the label; all of them must be nullable.
    public void append() {
        new GraphDefinitions(graph).appendToVertexLabel(name, properties, nullable);
    }

    /// Takes the properties named here away from the label and its vertices: they must be nullable, no
    /// primary keys, and without an index. Of those named as nullable alone it makes properties that a vertex
    /// must have; all that there are must have them.
    public void eliminate() {
        new GraphDefinitions(graph).eliminateFromVertexLabel(name, properties, nullable);
    }

    /// Removes the label, its vertices and their edges.
    public void remove() {
        new GraphDefinitions(graph).removeVertexLabel(name);
    }
}
