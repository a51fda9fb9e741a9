package dev.oriel.graph.schema;

import dev.oriel.graph.element.StoredGraph;
import dev.oriel.table.Index;
import java.util.List;

/// Declares an index over properties of the vertices of one label, or of the edges of one. Properties that
/// have no column yet get one, and all elements are indexed before it returns.
public final class IndexLabelBuilder {
    private final StoredGraph graph;
    private final String name;
    private String label = "";
    private boolean onVertices = true;
    private List<String> fields = List.of();
    private boolean unique;
    private Index.Kind kind = Index.Kind.BTREE;
    private boolean ifNotExist;

    IndexLabelBuilder(StoredGraph graph, String name) {
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
        return of(Index.Kind.BTREE, false);
    }

    private IndexLabelBuilder of(Index.Kind wanted, boolean isUnique) {
        kind = wanted;
        unique = isUnique;
        return this;
    }

    /// For the words of one property of text: [dev.oriel.graph.value.Words#containing] is served from it.
    public IndexLabelBuilder search() {
        return of(Index.Kind.SEARCH, false);
    }

    /// For ranges of values. Here the two are one: each index is in the order of its values.
    public IndexLabelBuilder range() {
        return of(Index.Kind.BTREE, false);
    }

    /// No two elements have the same values.
    public IndexLabelBuilder unique() {
        return of(Index.Kind.BTREE, true);
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
        GraphDefinitions.Wanted wanted = new GraphDefinitions.Wanted(name, fields, kind, unique);
        if (onVertices) {
            definitions.createVertexIndex(label, wanted, ifNotExist);
        } else {
            definitions.createEdgeIndex(label, wanted, ifNotExist);
        }
    }

    /// Removes the index of this name; the properties stay.
    public void remove() {
        new GraphDefinitions(graph).removeIndex(name);
    }

    /// Adds the properties named by [#by] to the index, behind its own; each must have a column.
    public void append() {
        new GraphDefinitions(graph).changeIndex(name, fields, true);
    }

    /// Takes the properties named by [#by] out of the index.
    public void eliminate() {
        new GraphDefinitions(graph).changeIndex(name, fields, false);
    }

    /// Makes the index anew from all elements, in a thread of its own. Who writes waits for it meanwhile, and
    /// it for them; readers go on.
    public IndexRebuild rebuild() {
        return new GraphDefinitions(graph).rebuild(name);
    }
}
