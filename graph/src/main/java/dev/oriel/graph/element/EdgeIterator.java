package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.range.SortRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.jspecify.annotations.Nullable;

/// The edges around one vertex, or all edges, label by label, in key order. Edges added while it runs are not
/// among them.
public final class EdgeIterator extends EdgeRanges<EdgeBatch> implements Iterator<Edge> {
    private int at;

    /// Range of sort keys, for a single label; null for all edges.
    private @Nullable SortRange sorts;

    private EdgeIterator(StoredGraph graph, EdgeLabel[] labels, long vertex, Direction direction) {
        super(graph, new EdgeBatch());
        begin(labels, vertex, direction);
    }

    /// All edges of `labels` in the current state.
    public static EdgeIterator all(StoredGraph graph, Collection<EdgeLabel> labels) {
        EdgeIterator all =
                new EdgeIterator(graph, labels.toArray(EdgeLabel[]::new), ALL, Direction.OUT);
        GraphTransaction work = graph.work();
        try (GraphTransaction.Turn _ = work.turn()) {
            all.goOn(work); // other iterators may be read first
        }
        return all;
    }

    public static EdgeIterator around(OrielVertex vertex, Direction direction, String... names) {
        return around(vertex.graph(), vertex.number(), direction, names);
    }

    public static EdgeIterator around(
            StoredGraph graph, long vertex, Direction direction, String... names) {
        return new EdgeIterator(graph, labels(graph, names), vertex, direction);
    }

    /// The edges in `sorts` only.
    public static EdgeIterator around(
            StoredGraph graph, long vertex, Direction direction, SortRange sorts) {
        EdgeLabel[] one = {sorts.label()};
        EdgeIterator around = new EdgeIterator(graph, one, vertex, direction);
        around.sorts = sorts;
        return around;
    }

    /// The labels with these names, each once; all labels if no name is given.
    public static EdgeLabel[] labels(StoredGraph graph, String... names) {
        GraphCatalog.EdgeLabels known = graph.catalog().edgeLabels();
        if (names.length == 1) {
            EdgeLabel one = known.byName().get(names[0]);
            return one == null ? new EdgeLabel[0] : new EdgeLabel[] {one};
        }
        List<EdgeLabel> found = new ArrayList<>(known.all().length);
        if (names.length == 0) {
            for (EdgeLabel label : known.all()) {
                if (label != null) {
                    found.add(label);
                }
            }
        }
        for (String name : names) {
            EdgeLabel label = known.byName().get(name);
            if (label != null && !found.contains(label)) {
                found.add(label);
            }
        }
        return found.toArray(EdgeLabel[]::new);
    }

    /// The edges with these ids, in their order.
    public static Iterator<Edge> of(StoredGraph graph, Object... ids) {
        List<Edge> found = new ArrayList<>(ids.length);
        for (Object given : ids) {
            Object id = given instanceof Edge edge ? edge.id() : given;
            OrielEdge edge = id instanceof String text ? find(graph, text) : null;
            if (edge == null && id != null) {
                edge = graph.work().edges().of(graph, id);
            }
            if (edge != null) {
                found.add(edge);
            }
        }
        return found.iterator();
    }

    private static @Nullable OrielEdge find(StoredGraph graph, String id) {
        OrielEdge named = EdgeId.parse(graph, id);
        if (named == null) {
            return null;
        }
        EdgeLabel label = named.edgeLabel();
        if (label.sortKeys().length == 0 || named.sort() != null) {
            return graph.work().edges().properties(named) == null ? null : named;
        }
        EdgeIterator around =
                new EdgeIterator(graph, new EdgeLabel[] {label}, named.source(), Direction.OUT);
        while (around.hasNext()) {
            OrielEdge edge = around.nextEdge();
            if (edge.target() == named.target() && edge.number() == named.number()) {
                return edge;
            }
        }
        return null;
    }

    @Override
    public boolean hasNext() {
        while (at >= batch().count) {
            if (!readOn()) {
                return false;
            }
            at = 0;
        }
        return true;
    }

    @Override
    protected void read(
            GraphTransaction work, EdgeLabel of, boolean backwards, long below, EdgeBatch into) {
        work.reads().scan(of, vertex(), backwards, below, sorts, into);
    }

    @Override
    public Edge next() {
        return nextEdge();
    }

    OrielEdge nextEdge() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int seen = sequence.seen();
        int taken = at;
        EdgeBatch from = batch();
        if (taken >= from.count) {
            throw SequenceCount.twoThreads();
        }
        OrielEdge edge = new OrielEdge(source(), label(), from, taken);
        at = taken + 1;
        sequence.check(seen);
        return edge;
    }
}
