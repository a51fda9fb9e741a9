package dev.oriel.graph.schema;

import dev.oriel.graph.element.StoredGraph;
import dev.oriel.table.definition.Index;
import java.util.List;

/// Declares an index over properties of the vertices or edges of one label. Properties without a column get one,
/// and all elements are indexed before it returns.
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

    /// For equality: the default.
    public IndexLabelBuilder secondary() {
        return of(Index.Kind.BTREE, false);
    }

    private IndexLabelBuilder of(Index.Kind wanted, boolean isUnique) {
        kind = wanted;
        unique = isUnique;
        return this;
    }

    /// Indexes the words of one text property; used by [dev.oriel.graph.value.Words#containing].
    public IndexLabelBuilder search() {
        return of(Index.Kind.SEARCH, false);
    }

    /// Indexes ranges of values. It is the same as [#secondary()]: each index is ordered by its values.
    public IndexLabelBuilder range() {
        return of(Index.Kind.BTREE, false);
    }

    /// No two elements have the same values.
    public IndexLabelBuilder unique() {
        return of(Index.Kind.BTREE, true);
    }

    /// Makes [#create()] do nothing if an index of the name exists.
    public IndexLabelBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Creates the index.
    ///
    /// @throws IllegalArgumentException if an index of the name exists, there is no such label, or a key is not
    ///     declared
    public void create() {
        GraphDefinitions definitions = new GraphDefinitions(graph);
        GraphDefinitions.Wanted wanted = new GraphDefinitions.Wanted(name, fields, kind, unique);
        if (onVertices) {
            definitions.createVertexIndex(label, wanted, ifNotExist);
        } else {
            definitions.createEdgeIndex(label, wanted, ifNotExist);
        }
    }

    /// Removes the index; the properties stay.
    public void remove() {
        new GraphDefinitions(graph).removeIndex(name);
    }

    /// Appends the properties given by [#by] to the index; each must have a column.
    public void append() {
        new GraphDefinitions(graph).changeIndex(name, fields, true);
    }

    /// Removes the properties given by [#by] from the index.
    public void eliminate() {
        new GraphDefinitions(graph).changeIndex(name, fields, false);
    }

    /// Rebuilds the index from all elements, in a thread of its own. The rebuild and writers wait for each other;
    /// readers are not blocked.
    public IndexRebuild rebuild() {
        return new GraphDefinitions(graph).rebuild(name);
    }
}
