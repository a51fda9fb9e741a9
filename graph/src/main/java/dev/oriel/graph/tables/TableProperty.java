package dev.oriel.graph.tables;

import dev.oriel.graph.element.KnownProperty;
import org.apache.tinkerpop.gremlin.structure.Element;

/// A property of an edge that is a row, as of the time when it was read.
final class TableProperty<V> extends KnownProperty<V> {
    private final TableEdge edge;

    TableProperty(TableEdge edge, String key, V value) {
        super(key, value);
        this.edge = edge;
    }

    @Override
    public Element element() {
        return edge;
    }

    @Override
    public void remove() {
        if (!edge.isRemoved()) {
            edge.set(key(), null);
        }
    }
}
