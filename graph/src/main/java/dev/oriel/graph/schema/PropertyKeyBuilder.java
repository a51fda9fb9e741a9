package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.value.DataType;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// Declares a property key: by default text, with one value for each vertex.
public final class PropertyKeyBuilder {
    private final StoredGraph graph;
    private final String name;
    private DataType type = DataType.TEXT;
    private Cardinality cardinality = Cardinality.single;
    private boolean ifNotExist;

    PropertyKeyBuilder(StoredGraph graph, String name) {
        this.graph = graph;
        this.name = name;
    }

    public PropertyKeyBuilder as(DataType wanted) {
        type = wanted;
        return this;
    }

    public PropertyKeyBuilder asText() {
        return as(DataType.TEXT);
    }

    public PropertyKeyBuilder asInt() {
        return as(DataType.INT);
    }

    public PropertyKeyBuilder asLong() {
        return as(DataType.LONG);
    }

    public PropertyKeyBuilder asByte() {
        return as(DataType.BYTE);
    }

    public PropertyKeyBuilder asFloat() {
        return as(DataType.FLOAT);
    }

    public PropertyKeyBuilder asDouble() {
        return as(DataType.DOUBLE);
    }

    public PropertyKeyBuilder asBoolean() {
        return as(DataType.BOOLEAN);
    }

    public PropertyKeyBuilder asBlob() {
        return as(DataType.BLOB);
    }

    public PropertyKeyBuilder asDate() {
        return as(DataType.DATE);
    }

    public PropertyKeyBuilder asUuid() {
        return as(DataType.UUID);
    }

    public PropertyKeyBuilder asObject() {
        return as(DataType.OBJECT);
    }

    public PropertyKeyBuilder valueSingle() {
        cardinality = Cardinality.single;
        return this;
    }

    public PropertyKeyBuilder valueList() {
        cardinality = Cardinality.list;
        return this;
    }

    public PropertyKeyBuilder valueSet() {
        cardinality = Cardinality.set;
        return this;
    }

    /// Makes [#create()] do nothing if the key is declared already.
    public PropertyKeyBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// Declares the key. If it is in use without a declaration, existing values of another type stay until they
    /// are set again.
    ///
    /// @throws IllegalArgumentException if it is declared already
    public PropertyKey create() {
        return new GraphDefinitions(graph).declare(name, type, cardinality, ifNotExist);
    }

    /// Widens a key of cardinality single to several values: [#valueList()] or [#valueSet()]. It must not have
    /// columns yet.
    public void append() {
        new GraphDefinitions(graph).widen(name, type, cardinality);
    }

    /// Revokes the declaration, like [#remove()].
    public void eliminate() {
        remove();
    }

    /// Revokes the declaration, if no label uses the key. Then the key accepts any value, and existing values
    /// stay.
    public void remove() {
        new GraphDefinitions(graph).undeclare(name);
    }
}
