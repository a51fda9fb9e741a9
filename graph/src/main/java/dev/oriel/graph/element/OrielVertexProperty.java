package dev.oriel.graph.element;

import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;

/// A property of a vertex: its value is of the time when it was read, its meta-properties are current.
public final class OrielVertexProperty<V> extends KnownProperty<V> implements VertexProperty<V> {
    private final OrielVertex vertex;
    private final PropertyKey key;
    private final long number;
    private final @Nullable Object id;
    private @Nullable Removal removal;

    @SuppressWarnings("unchecked") // properties have no static type
    OrielVertexProperty(OrielVertex vertex, Properties.Entry entry) {
        super(entry.key().name(), (V) entry.value());
        this.vertex = vertex;
        this.key = entry.key();
        this.number = entry.number();
        this.id = entry.id();
    }

    @Override
    public Vertex element() {
        return vertex;
    }

    @Override
    public StoredGraph graph() {
        return vertex.graph();
    }

    /// The user-supplied id, else `vertex:key:number`.
    @Override
    public Object id() {
        return id != null ? id : vertex.number() + ":" + key.name() + ":" + number;
    }

    /// Changes the stored property.
    void change(Consumer<Properties.Entry> change) {
        checkThere();
        graph().work()
                .vertices()
                .change(
                        vertex.number(),
                        vertex.id(),
                        properties -> {
                            Properties.Entry entry = properties.find(key, number);
                            if (entry == null) {
                                throw gone();
                            }
                            change.accept(entry);
                        });
    }

    private void checkThere() {
        if (isRemoved()) {
            throw gone();
        }
    }

    private boolean isRemoved() {
        Removal of = removal;
        return (of != null && !of.isUndone()) || vertex.isRemoved();
    }

    private IllegalStateException gone() {
        return OrielElement.removed(VertexProperty.class, id());
    }

    private Map<PropertyKey, Object> meta() {
        return isRemoved()
                ? Map.of()
                : vertex.entry(key, number).map(Properties.Entry::meta).orElse(Map.of());
    }

    @Override
    public <U> Property<U> property(String of) {
        PropertyKey wanted = graph().catalog().keys().byName(of);
        Object found = wanted == null ? null : meta().get(wanted);
        return found == null || wanted == null
                ? Property.empty()
                : new OrielProperty<>(this, wanted, found);
    }

    @Override
    public <U> Property<U> property(String of, U metaValue) {
        ElementHelper.validateProperty(of, metaValue);
        if (metaValue == null) {
            this.<U>properties(of).forEachRemaining(Property::remove);
            return Property.empty();
        }
        PropertyKey wanted = graph().work().key(of);
        Object checked = wanted.checked(metaValue);
        change(entry -> entry.meta(wanted, checked));
        return new OrielProperty<>(this, wanted, checked);
    }

    @Override
    public <U> Iterator<Property<U>> properties(String... keys) {
        List<Property<U>> found = new ArrayList<>();
        meta().forEach((of, metaValue) -> {
            if (ElementHelper.keyExists(of.name(), keys)) {
                found.add(new OrielProperty<>(this, of, metaValue));
            }
        });
        return found.iterator();
    }

    @Override
    public void remove() {
        if (!isRemoved()) {
            vertex.checkMayGo(key);
            graph().work()
                    .vertices()
                    .change(
                            vertex.number(),
                            vertex.id(),
                            properties -> properties.remove(key, number));
            removal = graph().work().removal();
        }
    }
}
