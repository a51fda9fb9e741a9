package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.LabelRules.IdStrategy;
import dev.oriel.graph.element.StoredGraph;
import java.util.List;

/// Declares a vertex label: by default with ids that the graph allots.
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

    /// All properties that the vertices may have; the keys must be declared.
    public VertexLabelBuilder properties(String... names) {
        properties = List.of(names);
        return this;
    }

    /// Properties that a vertex may lack.
    public VertexLabelBuilder nullableKeys(String... names) {
        nullable = List.of(names);
        return this;
    }

    /// Makes ids of these properties, as `LABEL:VALUE!VALUE`. Adding a vertex with the values of an existing one
    /// changes that one.
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

    /// Lifetime of vertices in milliseconds after their insertion, 1 or more. Expired vertices are absent for all
    /// readers, including SQL, and removed some time later. Edges to them need a label with a ttl too, and expire
    /// with the first of their ends.
    public VertexLabelBuilder ttl(long millis) {
        ttlMillis = LabelRules.checkedTtl(millis);
        return this;
    }

    /// Makes [#create()] do nothing if a label of the name exists.
    public VertexLabelBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Creates the label.
    ///
    /// @throws IllegalArgumentException if a label of the name exists, or a key is not declared
    public void create() {
        LabelRules rules = new LabelRules(true, ids, keys, properties, nullable, ttlMillis);
        new GraphDefinitions(graph).createVertexLabel(name, rules, ifNotExist);
    }

    /// Adds the properties named here to the label; all of them must be nullable.
    public void append() {
        new GraphDefinitions(graph).appendToVertexLabel(name, properties, nullable);
    }

    /// Removes the [#properties(String...)] given here from the label and its vertices. They must be nullable, no
    /// primary keys, and without an index. Properties given by [#nullableKeys(String...)] only become required;
    /// all vertices must have them.
    public void eliminate() {
        new GraphDefinitions(graph).eliminateFromVertexLabel(name, properties, nullable);
    }

    /// Removes the label, its vertices and their edges.
    public void remove() {
        new GraphDefinitions(graph).removeVertexLabel(name);
    }
}
