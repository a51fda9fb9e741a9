package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.PropertyKey;
import org.apache.tinkerpop.gremlin.structure.Element;

/// A property of an edge, or of a vertex property, as of the time when it was read.
public final class OrielProperty<V> extends KnownProperty<V> {
    private final Element element;
    private final PropertyKey key;

    @SuppressWarnings("unchecked") // properties have no static type
    OrielProperty(Element element, PropertyKey key, Object value) {
        super(key.name(), (V) value);
        this.element = element;
        this.key = key;
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
                    EdgeLabel label = edge.edgeLabel();
                    RowFiller.checkMayGo(label.columns(), label.rules(), label.name(), key);
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
}
