package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.element.StoredGraph;
import java.util.List;

/// Declares an edge label.
public final class EdgeLabelBuilder {
    private final StoredGraph graph;
    private final String name;
    private String source = "";
    private String target = "";
    private boolean single = true;
    private List<String> sortKeys = List.of();
    private List<String> properties = List.of();
    private List<String> nullable = List.of();
    private long ttlMillis;
    private boolean ifNotExist;

    EdgeLabelBuilder(StoredGraph graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    /// The labels of the source and target vertices.
    public EdgeLabelBuilder link(String from, String to) {
        source = from;
        target = to;
        return this;
    }

    public EdgeLabelBuilder sourceLabel(String from) {
        source = from;
        return this;
    }

    public EdgeLabelBuilder targetLabel(String to) {
        target = to;
        return this;
    }

    /// At most one edge leads from one vertex to another, and a second one replaces it: the default.
    public EdgeLabelBuilder singleTime() {
        single = true;
        return this;
    }

    /// Any number of edges lead from one vertex to another.
    public EdgeLabelBuilder multiTimes() {
        single = false;
        return this;
    }

    /// Properties that order the edges of a vertex. In a single-time label, no two edges between the same vertices
    /// have equal sort keys.
    public EdgeLabelBuilder sortKeys(String... names) {
        sortKeys = List.of(names);
        return this;
    }

    /// All properties that the edges may have; the keys must be declared.
    public EdgeLabelBuilder properties(String... names) {
        properties = List.of(names);
        return this;
    }

    public EdgeLabelBuilder nullableKeys(String... names) {
        nullable = List.of(names);
        return this;
    }

    /// Lifetime of edges in milliseconds after their insertion, 1 or more. An edge expires when one of its ends
    /// does, at the latest. Expired edges are absent for all readers, and removed some time later.
    public EdgeLabelBuilder ttl(long millis) {
        ttlMillis = LabelRules.checkedTtl(millis);
        return this;
    }

    /// Makes [#create()] do nothing if a label of the name exists.
    public EdgeLabelBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Creates the label.
    ///
    /// @throws IllegalArgumentException if a label of the name exists, or a key is not declared
    public void create() {
        LabelRules rules =
                new LabelRules(
                        true,
                        LabelRules.IdStrategy.AUTOMATIC,
                        sortKeys,
                        properties,
                        nullable,
                        ttlMillis);
        EdgeLabel.Link link = new EdgeLabel.Link(source, target);
        new GraphDefinitions(graph).createEdgeLabel(name, rules, link, single, ifNotExist);
    }

    /// Adds the properties named here to the label; all of them must be nullable.
    public void append() {
        new GraphDefinitions(graph).appendToEdgeLabel(name, properties, nullable);
    }

    /// Removes the [#properties(String...)] given here from the label and its edges. They must be nullable, no
    /// sort keys, and without an index. Properties given by [#nullableKeys(String...)] only become required; all
    /// edges must have them.
    public void eliminate() {
        new GraphDefinitions(graph).eliminateFromEdgeLabel(name, properties, nullable);
    }

    /// Removes the label and its edges.
    public void remove() {
        new GraphDefinitions(graph).removeEdgeLabel(name);
    }
}
