package dev.oriel.graph.tables;

import dev.oriel.graph.element.OrielElement;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A vertex that is a row of a table.
public final class TableVertex extends TableElement implements Vertex {
    public TableVertex(RowGraph graph, ElementTable of, Tuple key, @Nullable Tuple row) {
        super(graph, of, key, row);
    }

    @Override
    Class<?> kind() {
        return Vertex.class;
    }

    @Override
    public ElementTable table() {
        return inGraph().vertexTable(labelName());
    }

    @Override
    public Object id() {
        return idText();
    }

    @Override
    public String label() {
        return labelName();
    }

    @Override
    public Graph graph() {
        return inGraph();
    }

    @Override
    public Edge addEdge(String label, Vertex inVertex, Object... keyValues) {
        if (inVertex == null) {
            throw Graph.Exceptions.argumentCanNotBeNull("inVertex");
        }
        ElementHelper.validateLabel(label);
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        if (ElementHelper.getIdValue(keyValues).isPresent()) {
            throw Edge.Exceptions.userSuppliedIdsNotSupported();
        }
        current();
        Iterator<Vertex> other = inGraph().vertices(inVertex.id());
        if (!other.hasNext()) {
            throw OrielElement.removed(Vertex.class, inVertex.id());
        }
        return inGraph().addEdge(label, this, (TableVertex) other.next(), keyValues);
    }

    @Override
    public <V> VertexProperty<V> property(
            Cardinality cardinality, String key, V value, Object... keyValues) {
        if (cardinality != null && cardinality != Cardinality.single) {
            throw VertexProperty.Exceptions.multiPropertiesNotSupported();
        }
        if (keyValues.length > 0) {
            throw VertexProperty.Exceptions.metaPropertiesNotSupported();
        }
        ElementHelper.validateProperty(key, value);
        set(key, value);
        return value == null ? VertexProperty.empty() : property(key);
    }

    @Override
    @SuppressWarnings("unchecked") // properties have no static type
    public <V> Iterator<VertexProperty<V>> properties(String... keys) {
        List<VertexProperty<V>> found = new ArrayList<>();
        for (Map.Entry<String, Object> each : propertyValues(keys).entrySet()) {
            found.add(new TableVertexProperty<>(this, each.getKey(), (V) each.getValue()));
        }
        return found.iterator();
    }

    @Override
    public Iterator<Edge> edges(Direction direction, String... labels) {
        List<Edge> found = new ArrayList<>();
        if (isRemoved()) {
            return found.iterator();
        }
        for (boolean reverse : new boolean[] {false, true}) {
            if (direction == (reverse ? Direction.OUT : Direction.IN)) {
                continue;
            }
            for (EdgeEnds ends : around(reverse, labels)) {
                for (Tuple row : inGraph().work().around(ends, reverse, key())) {
                    TableEdge edge = inGraph().edge(ends, row);
                    if (edge != null) {
                        found.add(edge);
                    }
                }
            }
        }
        return found.iterator();
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction, String... labels) {
        List<Vertex> found = new ArrayList<>();
        if (isRemoved()) {
            return found.iterator();
        }
        for (boolean reverse : new boolean[] {false, true}) {
            if (direction == (reverse ? Direction.OUT : Direction.IN)) {
                continue;
            }
            for (EdgeEnds ends : around(reverse, labels)) {
                ElementTable far = ends.end(!reverse).vertices();
                inGraph()
                        .work()
                        .neighbours(
                                ends,
                                reverse,
                                key(),
                                end ->
                                        found.add(
                                                new TableVertex(
                                                        inGraph(), far, far.copyKey(end), null)));
            }
        }
        return found.iterator();
    }

    /// The tables of outgoing edges, or of incoming ones if `reverse`, that have one of `labels`.
    private List<EdgeEnds> around(boolean reverse, String... labels) {
        List<EdgeEnds> around = new ArrayList<>();
        for (EdgeEnds ends : inGraph().edgeTables()) {
            String label = ends.edges().label();
            boolean wanted = labels.length == 0 || Arrays.asList(labels).contains(label);
            if (wanted && ends.end(reverse).vertices().label().equals(labelName())) {
                around.add(ends);
            }
        }
        return around;
    }

    @Override
    public void remove() {
        if (!isRemoved()) {
            inGraph().work().deleteVertex(table(), key()); // or it was gone
            nowRemoved();
        }
    }

    @Override
    public String toString() {
        return StringFactory.vertexString(this);
    }
}
