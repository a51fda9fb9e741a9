package dev.oriel.graph.schema;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.value.DataType;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// Declares a property key: text, and one value a vertex, unless said otherwise.
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

    /// Lets [#create()] do nothing where the key is declared already.
    public PropertyKeyBuilder ifNotExist() {
        ifNotExist = true;
        return this;
    }

    /// A key that is in use without having been declared is declared from then on: values of another
    /// type stay until they are set anew.
    ///
    /// @throws IllegalArgumentException if it is declared already
    public PropertyKey create() {
        return new GraphDefinitions(graph).declare(name, type, cardinality, ifNotExist);
    }

    /// Lets a key that takes one value take several: [#valueList()] or [#valueSet()]. Its values must have no
    /// columns yet.
    public void append() {
        new GraphDefinitions(graph).widen(name, type, cardinality);
    }

    /// Takes the declaration back, as [#remove()] does.
    public void eliminate() {
        remove();
    }

    /// Takes the declaration back where no label names the key: it takes whatever comes then, and the values
    /// that there are stay.
    public void remove() {
        new GraphDefinitions(graph).undeclare(name);
    }
}
