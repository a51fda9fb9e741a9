package dev.oriel.graph;

import java.util.List;

/// Declares an index over properties of the vertices of one label, or of the edges of one. Properties that
/// have no column yet get one, and all elements are indexed before it returns.
public final class IndexLabelBuilder {
    private final OrielGraph graph;
    private final String name;
    private String label = "";
    private boolean onVertices = true;
    private List<String> fields = List.of();
    private boolean unique;
    private boolean ifNotExist;

    IndexLabelBuilder(OrielGraph graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    public IndexLabelBuilder onV(String vertexLabel) {
        label = vertexLabel;
        onVertices = true;
        return this;
    }

    public IndexLabelBuilder onE(String edgeLabel) {
        label = edgeLabel;
        onVertices = false;
        return this;
    }

    /// The properties, leading one first; the keys must be declared with one value each.
    public IndexLabelBuilder by(String... names) {
        fields = List.of(names);
        return this;
    }

    /// For equal values: the default.
    public IndexLabelBuilder secondary() {
        unique = false;
        return this;
    }

    /// For ranges of values. Here the two are one: each index is in the order of its values.
    public IndexLabelBuilder range() {
        unique = false;
        return this;
    }

    /// No two elements have the same values.
    public IndexLabelBuilder unique() {
        unique = true;
        return this;
    }

    /// Lets [#create()] do nothing where there is an index of the name.
    public IndexLabelBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Creates the index.
    ///
    /// @throws IllegalArgumentException if there is an index of the name, no such label, or a key that is
    ///     not declared
    public void create() {
        GraphDefinitions definitions = new GraphDefinitions(graph);
        if (onVertices) {
            definitions.createVertexIndex(name, label, fields, unique, ifNotExist);
        } else {
            definitions.createEdgeIndex(name, label, fields, unique, ifNotExist);
        }
    }

    /// Removes the index of this name; the properties stay.
    public void remove() {
        new GraphDefinitions(graph).removeIndex(name);
    }
}
