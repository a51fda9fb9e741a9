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

    /// The vertex labels that it leads from and to.
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

    /// One edge at most leads from one vertex to another, and a second one replaces it: the default.
    public EdgeLabelBuilder singleTime() {
        single = true;
        return this;
    }

    /// Any number of edges lead from one vertex to another.
    public EdgeLabelBuilder multiTimes() {
        single = false;
        return this;
    }

    /// Properties by which the edges of a vertex are ordered, and of which no two of a single-time label
    /// between the same vertices agree.
    public EdgeLabelBuilder sortKeys(String... names) {
        sortKeys = List.of(names);
        return this;
    }

    /// All that its edges may have; the keys must be declared.
    public EdgeLabelBuilder properties(String... names) {
        properties = List.of(names);
        return this;
    }

    public EdgeLabelBuilder nullableKeys(String... names) {
        nullable = List.of(names);
        return this;
    }

    /// Edges are there for so long after they were added, 1 millisecond or more, or until one of their ends
    /// expires; then they are absent for all readers, and removed some time later.
    public EdgeLabelBuilder ttl(long millis) {
        ttlMillis = LabelRules.checkedTtl(millis);
        return this;
    }

    /// Lets [#create()] do nothing where there is a label of the name.
    public EdgeLabelBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Creates the label.
    ///
    /// @throws IllegalArgumentException if there is a label of the name, or a key is not declared
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

    /// Takes the properties named here away from the label and its edges: they must be nullable, no sort keys,
    /// and without an index. Of those named as nullable alone it makes properties that an edge must have; all
    /// that there are must have them.
    public void eliminate() {
        new GraphDefinitions(graph).eliminateFromEdgeLabel(name, properties, nullable);
    }

    /// Removes the label and its edges.
    public void remove() {
        new GraphDefinitions(graph).removeEdgeLabel(name);
    }
}
