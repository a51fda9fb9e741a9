package dev.oriel.graph.tables;

import java.util.Collections;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A property of a vertex that is a row, as it was when it was read. Its id is `vertex:property`.
final class TableVertexProperty<V> implements VertexProperty<V> {
    private final TableVertex vertex;
    private final String key;
    private final V value;

    TableVertexProperty(TableVertex vertex, String key, V value) {
        this.vertex = vertex;
        this.key = key;
        this.value = value;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public V value() {
        return value;
    }

    @Override
    public boolean isPresent() {
        return true;
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
        return vertex.id() + ":" + key;
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
            vertex.set(key, null);
        }
    }

    @Override
    public int hashCode() {
        return ElementHelper.hashCode((Element) this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return ElementHelper.areEqual(this, other);
    }

    @Override
    public String toString() {
        return StringFactory.propertyString(this);
    }
}
