package dev.oriel.graph.tables;

import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// An edge that is a row of a table.
public final class TableEdge extends TableElement implements Edge {
    private final TableVertex source;
    private final TableVertex target;

    TableEdge(RowGraph graph, ElementTable of, Tuple row, TableVertex source, TableVertex target) {
        super(graph, of, of.key(row), row);
        this.source = source;
        this.target = target;
    }

    @Override
    Class<?> kind() {
        return Edge.class;
    }

    private EdgeEnds ends() {
        return inGraph().edgeTable(labelName());
    }

    @Override
    ElementTable table() {
        return ends().edges();
    }

    @Override
    void checkFree(ElementTable of, String name, int column) {
        super.checkFree(of, name, column);
        if (ends().isEnd(column)) {
            throw new IllegalArgumentException(
                    "The property %s of %s says where the edge leads, which cannot be changed; add another edge"
                            .formatted(name, labelName()));
        }
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
    public Iterator<Vertex> vertices(Direction direction) {
        return switch (direction) {
            case OUT -> List.<Vertex>of(source).iterator();
            case IN -> List.<Vertex>of(target).iterator();
            case BOTH -> List.<Vertex>of(source, target).iterator();
        };
    }

    @Override
    public <V> Property<V> property(String key, V value) {
        ElementHelper.validateProperty(key, value);
        set(key, value);
        return value == null ? Property.empty() : new TableProperty<>(this, key, value);
    }

    @Override
    @SuppressWarnings("unchecked") // properties have no static type
    public <V> Iterator<Property<V>> properties(String... keys) {
        List<Property<V>> found = new ArrayList<>();
        for (Map.Entry<String, Object> each : propertyValues(keys).entrySet()) {
            found.add(new TableProperty<>(this, each.getKey(), (V) each.getValue()));
        }
        return found.iterator();
    }

    @Override
    public void remove() {
        if (!isRemoved()) {
            inGraph().work().delete(table(), key()); // or it was gone
            nowRemoved();
        }
    }

    @Override
    public String toString() {
        return StringFactory.edgeString(this);
    }
}
