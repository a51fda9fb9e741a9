package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.value.ValueCodec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// A vertex, identified by a number, from which its label and the place of its row follow.
public final class OrielVertex extends OrielElement implements Vertex {
    private final StoredGraph graph;
    private final long number;
    private @Nullable Object id;

    /// Transaction object that added the vertex, and the life of it at that time; null for any other vertex.
    private @Nullable GraphTransaction addedBy;

    private long addedIn;

    /// An existing vertex whose row has not been read.
    ///
    /// @param id null if it is not known yet
    public OrielVertex(StoredGraph graph, long number, @Nullable Object id) {
        this.graph = graph;
        this.number = number;
        this.id = id;
    }

    /// A vertex that `work` has just added.
    ///
    /// @param id null if it is not known yet
    public OrielVertex(StoredGraph graph, long number, @Nullable Object id, GraphTransaction work) {
        this(graph, number, id);
        this.addedBy = work;
        this.addedIn = work.life();
    }

    /// The internal number of the vertex, regardless of a user-supplied id. It is above 0 and never reused for
    /// another vertex. `OrielGraph.vertexByNumber` finds the vertex by it with a single fetch of its row.
    public long number() {
        return number;
    }

    /// Number of edges that begin (`OUT`) or end (`IN`) at the vertex, or both; for both, a loop counts twice. The
    /// edges are counted without being read.
    ///
    /// @param labels edge labels; none for all; a label that the graph does not have has no edges
    public long degree(Direction direction, String... labels) {
        if (isRemoved()) {
            return 0;
        }
        RangeReads reads = graph.work().reads();
        long degree = 0;
        for (EdgeLabel label : EdgeIterator.labels(graph, labels)) {
            degree += reads.degree(label, number, direction);
        }
        return degree;
    }

    /// Whether the current transaction of `work` has added the vertex.
    @SuppressWarnings("ReferenceEquality") // compared by identity
    boolean isOf(GraphTransaction work) {
        return addedBy == work && addedIn == work.life() && !isRemoved();
    }

    @Override
    public StoredGraph graph() {
        return graph;
    }

    @Override
    public Object id() {
        Object known = id;
        if (known == null) {
            known =
                    VertexLabel.isHidden(number)
                            ? graph.work().vertices().idOf(number)
                            : (Object) number;
            id = known;
        }
        return known;
    }

    @Override
    public String label() {
        VertexLabel label = graph.catalog().labelOf(number);
        return label == null ? Vertex.DEFAULT_LABEL : label.name();
    }

    @Override
    @Nullable Properties load(GraphTransaction work) {
        return work.vertices().properties(number);
    }

    @Override
    IllegalStateException gone() {
        return removed(Vertex.class, id());
    }

    @Override
    public Edge addEdge(String label, Vertex inVertex, Object... keyValues) {
        if (inVertex == null) {
            throw Graph.Exceptions.argumentCanNotBeNull("inVertex");
        }
        ElementHelper.validateLabel(label);
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String key) {
                ElementHelper.validateProperty(key, keyValues[i + 1]);
            }
        }
        Object id = ElementHelper.getIdValue(keyValues).orElse(null);
        if (id != null && !ValueCodec.isId(id)) {
            throw Edge.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
        }
        checkThere();
        OrielVertex target =
                inVertex instanceof OrielVertex own && own.graph.catalog() == graph.catalog()
                        ? own
                        : attached(inVertex);
        target.checkThere();
        return graph.work().edges().insert(label, this, target, id, keyValues);
    }

    private OrielVertex attached(Vertex other) {
        long found = graph.work().vertices().resolve(other.id());
        if (found == 0) {
            throw removed(Vertex.class, other.id());
        }
        return new OrielVertex(graph, found, other.id());
    }

    @Override
    public <V> VertexProperty<V> property(String key, V value) {
        return property(graph.features().vertex().getCardinality(key), key, value);
    }

    @Override
    public <V> VertexProperty<V> property(String key, V value, Object... keyValues) {
        return property(graph.features().vertex().getCardinality(key), key, value, keyValues);
    }

    @Override
    public <V> VertexProperty<V> property(
            Cardinality cardinality, String key, V value, Object... keyValues) {
        checkThere();
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        ElementHelper.validateProperty(key, value);
        if (value == null) {
            return removeForNull(cardinality, key);
        }
        Object propertyId = ElementHelper.getIdValue(keyValues).orElse(null);
        if (propertyId != null && !ValueCodec.isId(propertyId)) {
            throw VertexProperty.Exceptions.userSuppliedIdsOfThisTypeNotSupported();
        }
        GraphTransaction work = graph.work();
        rules().accept(label(), key);
        PropertyKey of = work.key(key);
        Map<PropertyKey, Object> meta = meta(work, keyValues);
        Cardinality declared = of.cardinality();
        checkCardinality(cardinality, of);
        Cardinality given = cardinality == null ? graph.usualCardinality() : cardinality;
        Cardinality wanted = declared == null ? given : declared;
        checkKeeps(of, value);
        Properties.Entry[] entry = new Properties.Entry[1];
        work.vertices()
                .change(
                        number,
                        id(),
                        properties -> {
                            entry[0] = RowFiller.set(properties, wanted, of, value);
                            meta.forEach(entry[0]::meta);
                            if (propertyId != null) {
                                entry[0].id(propertyId);
                            }
                        });
        return new OrielVertexProperty<>(this, entry[0]);
    }

    /// A call without a cardinality passes the declared one, or `single`.
    private static void checkCardinality(@Nullable Cardinality given, PropertyKey of) {
        if (given != null
                && given != Cardinality.single
                && of.cardinality() != null
                && of.cardinality() != given) {
            throw new IllegalArgumentException(
                    "The property key %s is declared %s, and cannot be set as %s"
                            .formatted(of.name(), of.cardinality(), given));
        }
    }

    /// The meta-properties in `keyValues`.
    private static Map<PropertyKey, Object> meta(GraphTransaction work, Object... keyValues) {
        Map<PropertyKey, Object> meta = new LinkedHashMap<>();
        for (int i = 0; i < keyValues.length; i += 2) {
            if (keyValues[i] instanceof String name && keyValues[i + 1] != null) {
                ElementHelper.validateProperty(name, keyValues[i + 1]);
                PropertyKey key = work.key(name);
                meta.put(key, key.checked(keyValues[i + 1]));
            }
        }
        return meta;
    }

    /// Sets a property to null, which removes it if the cardinality is single or not given.
    private <V> VertexProperty<V> removeForNull(Cardinality cardinality, String key) {
        if (cardinality == Cardinality.single || cardinality == null) {
            this.<V>properties(key).forEachRemaining(VertexProperty::remove);
        }
        return VertexProperty.empty();
    }

    private LabelRules rules() {
        VertexLabel label = graph.catalog().labelOf(number);
        return label == null ? VertexLabel.free() : label.rules();
    }

    /// Refuses a change of a primary key, because the id contains it.
    private void checkKeeps(PropertyKey of, Object value) {
        LabelRules rules = rules();
        if (rules.ids() == LabelRules.IdStrategy.PRIMARY_KEY && rules.keys().contains(of.name())) {
            Properties.Entry now = current().first(of);
            if (now == null || !Objects.deepEquals(now.value(), of.checked(value))) {
                throw new IllegalArgumentException(
                        "The primary key %s of a vertex cannot be changed; add another vertex"
                                .formatted(of.name()));
            }
        }
    }

    /// Refuses the removal of a property that the label requires.
    void checkMayGo(PropertyKey key) {
        VertexLabel label = graph.catalog().labelOf(number);
        if (label != null) {
            RowFiller.checkMayGo(label.columns(), label.rules(), label.name(), key);
        }
    }

    /// Like TinkerPop's, but without an object for the property.
    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
    public <V> V value(String key) {
        Properties.Entry found = null;
        for (Properties.Entry entry : current().entries()) {
            if (entry.key().name().equals(key)) {
                if (found != null) {
                    throw Vertex.Exceptions.multiplePropertiesExistForProvidedKey(key);
                }
                found = entry;
            }
        }
        if (found == null) {
            throw Property.Exceptions.propertyDoesNotExist(this, key);
        }
        return (V) found.value();
    }

    @Override
    public <V> VertexProperty<V> property(String key) {
        VertexProperty<V> found = VertexProperty.empty();
        for (Properties.Entry entry : current().entries()) {
            if (entry.key().name().equals(key)) {
                if (found.isPresent()) {
                    throw Vertex.Exceptions.multiplePropertiesExistForProvidedKey(key);
                }
                found = new OrielVertexProperty<>(this, entry);
            }
        }
        return found;
    }

    @Override
    public <V> Iterator<VertexProperty<V>> properties(String... keys) {
        if (isRemoved()) {
            return List.<VertexProperty<V>>of().iterator();
        }
        List<VertexProperty<V>> found = new ArrayList<>();
        for (Properties.Entry entry : current().entries()) {
            if (wants(keys, entry.key())) {
                found.add(new OrielVertexProperty<>(this, entry));
            }
        }
        return found.iterator();
    }

    /// The current state of one of its properties.
    Optional<Properties.Entry> entry(PropertyKey key, long ofKey) {
        return Optional.ofNullable(current().find(key, ofKey));
    }

    @Override
    public Iterator<Edge> edges(Direction direction, String... labels) {
        return isRemoved()
                ? List.<Edge>of().iterator()
                : EdgeIterator.around(this, direction, labels);
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction, String... labels) {
        return isRemoved()
                ? List.<Vertex>of().iterator()
                : new NeighbourIterator(this, direction, labels);
    }

    @Override
    public void remove() {
        if (!isRemoved()) {
            id();
            graph.work().vertices().remove(number);
            removed();
        }
    }

    @SuppressWarnings("ReferenceEquality") // compared by identity
    private boolean isOfSameGraph(OrielVertex other) {
        return other.graph.catalog() == graph.catalog();
    }

    @Override
    public int hashCode() {
        return ElementHelper.hashCode(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (other instanceof OrielVertex vertex && isOfSameGraph(vertex)) {
            return vertex.number == number;
        }
        return ElementHelper.areEqual(this, other);
    }

    @Override
    public String toString() {
        return StringFactory.vertexString(this);
    }
}
