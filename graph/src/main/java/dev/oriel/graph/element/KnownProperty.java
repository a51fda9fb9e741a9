package dev.oriel.graph.element;

import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A property with the key and value of the time when it was read: of an edge, of a vertex, or of a vertex
/// property. Equality is TinkerPop's for its kind.
public abstract class KnownProperty<V> implements Property<V> {
    private final String key;
    private final V value;

    protected KnownProperty(String key, V value) {
        this.key = key;
        this.value = value;
    }

    @Override
    public final String key() {
        return key;
    }

    @Override
    public final V value() {
        return value;
    }

    @Override
    public final boolean isPresent() {
        return true;
    }

    @Override
    public final int hashCode() {
        return this instanceof Element element
                ? ElementHelper.hashCode(element)
                : ElementHelper.hashCode(this);
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return this instanceof VertexProperty<?> ofVertex
                ? ElementHelper.areEqual(ofVertex, other)
                : ElementHelper.areEqual(this, other);
    }

    @Override
    public final String toString() {
        return StringFactory.propertyString(this);
    }
}
