package dev.oriel.graph.tables;

import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A property of an edge that is a row, as it was when it was read.
final class TableProperty<V> implements Property<V> {
    private final TableEdge edge;
    private final String key;
    private final V value;

    TableProperty(TableEdge edge, String key, V value) {
        this.edge = edge;
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
    public Element element() {
        return edge;
    }

    @Override
    public void remove() {
        if (!edge.isRemoved()) {
            edge.set(key, null);
        }
    }

    @Override
    public int hashCode() {
        return ElementHelper.hashCode(this);
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
