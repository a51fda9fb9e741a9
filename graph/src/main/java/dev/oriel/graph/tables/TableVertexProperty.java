package dev.oriel.graph.tables;

import dev.oriel.graph.element.KnownProperty;
import java.util.Collections;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/// A property of a vertex that is a row, as of the time when it was read. Its id is `vertex:property`.
final class TableVertexProperty<V> extends KnownProperty<V> implements VertexProperty<V> {
    private final TableVertex vertex;

    TableVertexProperty(TableVertex vertex, String key, V value) {
        super(key, value);
        this.vertex = vertex;
    }

    @Override
    public Vertex element() {
        return vertex;
    }

    @Override
    public Graph graph() {
        return vertex.graph();
    }

    @Override
    public Object id() {
        return vertex.id() + ":" + key();
    }

    @Override
    public <U> Property<U> property(String of, U metaValue) {
        throw VertexProperty.Exceptions.metaPropertiesNotSupported();
    }

    @Override
    public <U> Iterator<Property<U>> properties(String... keys) {
        return Collections.emptyIterator();
    }

    @Override
    public void remove() {
        if (!vertex.isRemoved()) {
            vertex.set(key(), null);
        }
    }
}
