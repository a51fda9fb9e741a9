package dev.oriel.graph.element;

import dev.oriel.graph.catalog.VertexLabel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.Attachable;
import org.jspecify.annotations.Nullable;

/// All vertices of some labels, in the order of insertion, label by label. Vertices added while it runs are not
/// among them.
public final class VertexIterator implements Iterator<Vertex> {
    private final StoredGraph graph;
    private final Iterator<VertexLabel> labels;
    private final Map<Integer, Long> belows = new HashMap<>();
    private final VertexBatch batch;
    private final SequenceCount sequence = new SequenceCount();
    private @Nullable VertexLabel label;
    private int at;

    public VertexIterator(StoredGraph graph, Collection<VertexLabel> of) {
        this(graph, of, false);
    }

    /// All vertices of some labels.
    ///
    /// @param properties whether their properties will be needed
    public VertexIterator(StoredGraph graph, Collection<VertexLabel> of, boolean properties) {
        this.graph = graph;
        this.batch = new VertexBatch(properties);
        graph.work();
        List<VertexLabel> ordered = new ArrayList<>(of);
        ordered.sort((a, b) -> Integer.compare(a.number(), b.number()));
        for (VertexLabel each : ordered) {
            belows.put(each.number(), each.end());
        }
        this.labels = ordered.iterator();
    }

    /// The vertices with these ids, in their order.
    public static Iterator<Vertex> of(StoredGraph graph, Object... ids) {
        List<Vertex> found = new ArrayList<>(ids.length);
        GraphTransaction work = graph.work();
        for (Object given : ids) {
            Object id = given;
            if (given instanceof Vertex vertex) {
                if (vertex instanceof OrielVertex own && own.graph().catalog() == graph.catalog()) {
                    if (work.vertices().exists(own.number())) {
                        found.add(new OrielVertex(graph, own.number(), own.id()));
                    }
                    continue;
                }
                id = vertex.id();
            }
            if (id instanceof Attachable<?> attachable
                    && attachable.get() instanceof Vertex vertex) {
                id = vertex.id();
            }
            long number = id == null ? 0 : work.vertices().resolve(id);
            if (number != 0) {
                found.add(new OrielVertex(graph, number, null));
            }
        }
        return found.iterator();
    }

    @Override
    public boolean hasNext() {
        while (at >= batch.count) {
            VertexLabel current = label;
            if (current != null && !batch.done) {
                long below = belows.getOrDefault(current.number(), 0L);
                sequence.beginBatch();
                try {
                    graph.work().reads().scan(current, below, batch);
                    at = 0;
                } finally {
                    sequence.endBatch();
                }
            } else if (labels.hasNext()) {
                label = labels.next();
                batch.reset();
                at = 0;
            } else {
                return false;
            }
        }
        return true;
    }

    @Override
    public Vertex next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int seen = sequence.seen();
        int taken = at;
        if (taken >= batch.count) {
            throw SequenceCount.twoThreads();
        }
        Vertex vertex = batch.vertex(graph, taken);
        at = taken + 1;
        sequence.check(seen);
        return vertex;
    }
}
