package dev.oriel.graph.element;

import dev.oriel.graph.catalog.PropertyKey;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A property of an edge, or of a property of a vertex, as it was when it was read.
public final class OrielProperty<V> implements Property<V> {
    private final Element element;
    private final PropertyKey key;
    private final V value;

    @SuppressWarnings("unchecked") // properties have no static type
    OrielProperty(Element element, PropertyKey key, Object value) {
        this.element = element;
        this.key = key;
        this.value = (V) value;
    }

    @Override
    public String key() {
        return key.name();
    }

    @Override
    public V value() throws NoSuchElementException {
        return value;
    }

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public Element element() {
        return element;
    }

    @Override
    public void remove() {
        switch (element) {
            case OrielEdge edge -> {
                if (!edge.isRemoved()) {
                    edge.graph()
                            .work()
                            .edges()
                            .change(edge, properties -> properties.removeAll(key));
                }
            }
            case OrielVertexProperty<?> property -> property.change(entry -> entry.removeMeta(key));
            default -> throw new IllegalStateException("a property of " + element.getClass());
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
