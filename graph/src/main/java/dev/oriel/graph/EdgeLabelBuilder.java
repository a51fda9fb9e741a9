package dev.oriel.graph;

import java.util.List;

/// Declares an edge label.
public final class EdgeLabelBuilder {
    private final OrielGraph graph;
    private final String name;
    private String source = "";
    private String target = "";
    private boolean single = true;
    private List<String> sortKeys = List.of();
    private List<String> properties = List.of();
    private List<String> nullable = List.of();
    private boolean ifNotExist;

    EdgeLabelBuilder(OrielGraph graph, String name) {
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
                        true, LabelRules.IdStrategy.AUTOMATIC, sortKeys, properties, nullable);
        EdgeLabel.Link link = new EdgeLabel.Link(source, target);
        new GraphDefinitions(graph).createEdgeLabel(name, rules, link, single, ifNotExist);
    }

    /// Removes the label and its edges.
    public void remove() {
        new GraphDefinitions(graph).removeEdgeLabel(name);
    }
}
