package dev.oriel.graph.computer;

import dev.oriel.graph.element.KnownProperty;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/// A property of a vertex of a [ComputedGraph]: computed, or a property of the vertex below.
final class ComputedProperty<V> extends KnownProperty<V> implements VertexProperty<V> {
    private final ComputedVertex vertex;
    private final Object id;
    private final @Nullable VertexProperty<V> stored;
    private final ComputedValues.@Nullable Value computed;

    ComputedProperty(ComputedVertex vertex, VertexProperty<V> stored) {
        super(stored.key(), stored.value());
        this.vertex = vertex;
        this.id = stored.id();
        this.stored = stored;
        this.computed = null;
    }

    @SuppressWarnings("unchecked") // properties have no static type
    ComputedProperty(ComputedVertex vertex, String key, ComputedValues.Value computed) {
        super(key, (V) computed.value());
        this.vertex = vertex;
        this.id = vertex.number() + ":" + key + ":" + computed.number();
        this.stored = null;
        this.computed = computed;
    }

    @Override
    public Vertex element() {
        return vertex;
    }

    @Override
    public Object id() {
        return id;
    }

    @Override
    public <U> Iterator<Property<U>> properties(String... keys) {
        if (stored != null) {
            return stored.properties(keys);
        }
        List<Property<U>> found = new ArrayList<>();
        if (computed != null) {
            computed.meta()
                    .forEach((name, of) -> {
                        if (ElementHelper.keyExists(name, keys)) {
                            found.add(new Meta<>(this, name, of));
                        }
                    });
        }
        return found.iterator();
    }

    @Override
    public <U> Property<U> property(String name, U of) {
        if (computed == null || !vertex.computed().isRunning()) {
            throw Element.Exceptions.propertyAdditionNotSupported();
        }
        ElementHelper.validateProperty(name, of);
        computed.meta().put(name, of);
        return new Meta<>(this, name, of);
    }

    @Override
    public void remove() {
        if (!vertex.computed().isRunning()) {
            throw Property.Exceptions.propertyRemovalNotSupported();
        }
        if (computed != null) {
            vertex.computed().values().remove(vertex.number(), key(), computed.number());
        } else {
            vertex.takeOver(key(), id);
        }
    }

    /// A meta-property.
    private static final class Meta<U> extends KnownProperty<U> {
        private final ComputedProperty<?> of;

        @SuppressWarnings("unchecked") // properties have no static type
        Meta(ComputedProperty<?> of, String key, Object value) {
            super(key, (U) value);
            this.of = of;
        }

        @Override
        public Element element() {
            return of;
        }

        @Override
        public void remove() {
            ComputedValues.Value computed = of.computed;
            if (computed == null || !of.vertex.computed().isRunning()) {
                throw Property.Exceptions.propertyRemovalNotSupported();
            }
            computed.meta().remove(key());
        }
    }
}
