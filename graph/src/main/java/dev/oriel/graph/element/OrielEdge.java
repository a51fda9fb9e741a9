package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// An edge, identified by the values of its row's key.
public final class OrielEdge extends OrielElement implements Edge {
    private final @Nullable StoredGraph graph;
    private final EdgeLabel label;
    private final long source;
    private final long target;
    private final long number;
    private final @Nullable Tuple sort;
    private @Nullable Object id;

    /// @param graph null if the edge only names a row
    /// @param sort values of the sort keys, if the label has any
    OrielEdge(
            @Nullable StoredGraph graph,
            EdgeLabel label,
            long source,
            long target,
            long number,
            @Nullable Tuple sort) {
        this.graph = graph;
        this.label = label;
        this.source = source;
        this.target = target;
        this.number = number;
        this.sort = sort;
    }

    /// The edge at `at` of `batch`.
    OrielEdge(@Nullable StoredGraph graph, EdgeLabel label, EdgeBatch batch, int at) {
        this(
                graph,
                label,
                batch.sources[at],
                batch.targets[at],
                batch.numbers[at],
                label.sortKeys().length == 0 ? null : batch.sorts[at]);
    }

    EdgeLabel edgeLabel() {
        return label;
    }

    long source() {
        return source;
    }

    long target() {
        return target;
    }

    long number() {
        return number;
    }

    @Nullable Tuple sort() {
        return sort;
    }

    @Override
    public StoredGraph graph() {
        StoredGraph of = graph;
        if (of == null) {
            throw new IllegalStateException("the edge names a row");
        }
        return of;
    }

    /// The user-supplied id; else an id made of the label, the ends, the number and the sort keys, see `EdgeId`.
    @Override
    public Object id() {
        Object known = id;
        if (known == null && EdgeLabel.isHidden(number)) {
            known = graph().work().edges().idOf(this);
            id = known;
        }
        if (known == null) {
            known = EdgeId.of(this);
            id = known;
        }
        return known;
    }

    @Override
    public String label() {
        return label.name();
    }

    @Override
    @Nullable Properties load(GraphTransaction work) {
        return work.edges().properties(this);
    }

    @Override
    IllegalStateException gone() {
        return removed(Edge.class, id());
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction) {
        Vertex out = new OrielVertex(graph(), source, null);
        Vertex in = new OrielVertex(graph(), target, null);
        return switch (direction) {
            case OUT -> List.of(out).iterator();
            case IN -> List.of(in).iterator();
            case BOTH -> List.of(out, in).iterator();
        };
    }

    @Override
    public Vertex outVertex() {
        return new OrielVertex(graph(), source, null);
    }

    @Override
    public Vertex inVertex() {
        return new OrielVertex(graph(), target, null);
    }

    @Override
    public <V> Property<V> property(String key, V value) {
        checkThere();
        ElementHelper.validateProperty(key, value);
        if (label.rules().keys().contains(key)) {
            throw new IllegalArgumentException(
                    "The sort key %s of an edge cannot be changed; add another edge"
                            .formatted(key));
        }
        if (value == null) {
            this.<V>properties(key).forEachRemaining(Property::remove);
            return Property.empty();
        }
        label.rules().accept(label.name(), key);
        GraphTransaction work = graph().work();
        PropertyKey of = work.key(key);
        Object checked = of.checked(value);
        work.edges().change(this, properties -> properties.set(of, checked));
        return new OrielProperty<>(this, of, checked);
    }

    @Override
    public <V> Property<V> property(String key) {
        PropertyKey of = graph().catalog().keys().byName(key);
        Properties.Entry entry = of == null ? null : current().first(of);
        return entry == null || of == null
                ? Property.empty()
                : new OrielProperty<>(this, of, entry.value());
    }

    @Override
    public <V> Iterator<Property<V>> properties(String... keys) {
        if (isRemoved()) {
            return List.<Property<V>>of().iterator();
        }
        List<Property<V>> found = new ArrayList<>();
        for (Properties.Entry entry : current().entries()) {
            if (wants(keys, entry.key())) {
                found.add(new OrielProperty<>(this, entry.key(), entry.value()));
            }
        }
        return found.iterator();
    }

    @Override
    public void remove() {
        if (!isRemoved()) {
            id();
            graph().work().edges().remove(this);
            removed();
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
        return StringFactory.edgeString(this);
    }
}
