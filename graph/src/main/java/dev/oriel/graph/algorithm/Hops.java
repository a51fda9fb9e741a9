package dev.oriel.graph.algorithm;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.EdgeBatch;
import dev.oriel.graph.element.EdgeIterator;
import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.element.VertexBatch;
import dev.oriel.graph.memory.LongList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/// Reads the neighbours of vertices from the edge tables, in batches, without objects for edges or vertices. It
/// uses the thread's transaction at its construction, and belongs to that thread.
final class Hops {
    private final GraphTransaction work;
    private final Course course;
    private final EdgeLabel[] labels;
    private final Direction direction;
    private final EdgeBatch batch = new EdgeBatch();

    /// @param names names of edge labels; none for all
    /// @throws IllegalArgumentException if there is no label of a name
    Hops(StoredGraph graph, Course course, Direction direction, String... names) {
        this.work = graph.work();
        this.course = course;
        this.direction = direction;
        checkLabels(graph, List.of(names));
        this.labels = EdgeIterator.labels(graph, names);
    }

    /// @throws IllegalArgumentException if there is no label of a name
    static void checkLabels(StoredGraph graph, List<String> names) {
        for (String name : names) {
            if (!graph.catalog().edgeLabels().byName().containsKey(name)) {
                throw new IllegalArgumentException("There is no edge label " + name);
            }
        }
    }

    private Hops(Hops of) {
        this.work = of.work;
        this.course = of.course;
        this.labels = of.labels;
        this.direction = of.direction.opposite();
    }

    /// These hops in the opposite direction.
    Hops reverse() {
        return new Hops(this);
    }

    Course course() {
        return course;
    }

    /// Receives edges to neighbours.
    @FunctionalInterface
    interface WeighedSink {
        void edge(long neighbour, double weight);
    }

    /// Receives edges.
    @FunctionalInterface
    interface PairSink {
        void edge(long from, long to);
    }

    /// Passes the neighbours of `vertex` to `each`, once for each edge.
    void expand(long vertex, LongConsumer each) {
        for (EdgeLabel label : labels) {
            if (direction != Direction.IN) {
                expand(label, vertex, false, each);
            }
            if (direction != Direction.OUT) {
                expand(label, vertex, true, each);
            }
        }
    }

    private void expand(EdgeLabel label, long vertex, boolean reverse, LongConsumer each) {
        batch.reset();
        do {
            work.reads().scan(label, vertex, reverse, Long.MAX_VALUE, null, batch);
            long[] ends = reverse ? batch.sources() : batch.targets();
            for (int i = 0; i < batch.count(); i++) {
                each.accept(ends[i]);
            }
            course.read(batch.count());
        } while (!batch.isDone());
    }

    /// Passes the neighbours of `vertex` to `each` with the values of `weight` on the edges; NaN if an edge has
    /// none.
    void expandWeighed(long vertex, PropertyKey weight, WeighedSink each) {
        batch.weigh(new EdgeBatch.Weight(weight, work.catalog().keys()));
        for (EdgeLabel label : labels) {
            if (direction != Direction.IN) {
                expandWeighed(label, vertex, false, each);
            }
            if (direction != Direction.OUT) {
                expandWeighed(label, vertex, true, each);
            }
        }
        batch.weigh(null);
    }

    private void expandWeighed(EdgeLabel label, long vertex, boolean reverse, WeighedSink each) {
        batch.reset();
        do {
            work.reads().scan(label, vertex, reverse, Long.MAX_VALUE, null, batch);
            long[] ends = reverse ? batch.sources() : batch.targets();
            for (int i = 0; i < batch.count(); i++) {
                each.edge(ends[i], batch.weights()[i]);
            }
            course.read(batch.count());
        } while (!batch.isDone());
    }

    /// Passes the edges of all vertices of `frontier` to `each`; the vertices are sorted, so that cursors move
    /// forward.
    void expandAll(LongList frontier, Hops.PairSink each) {
        long[] sorted = frontier.toArray();
        Arrays.sort(sorted);
        for (long vertex : sorted) {
            expand(vertex, neighbour -> each.edge(vertex, neighbour));
        }
    }

    /// Passes all edges to `each`; if the direction is both, each one also reversed.
    void all(PairSink each) {
        for (EdgeLabel label : labels) {
            batch.reset();
            do {
                work.reads().scan(label, 0, false, Long.MAX_VALUE, null, batch);
                for (int i = 0; i < batch.count(); i++) {
                    if (direction != Direction.IN) {
                        each.edge(batch.sources()[i], batch.targets()[i]);
                    }
                    if (direction != Direction.OUT) {
                        each.edge(batch.targets()[i], batch.sources()[i]);
                    }
                }
                course.read(batch.count());
            } while (!batch.isDone());
        }
    }

    /// Passes all vertices to `each`, label by label.
    void vertices(LongConsumer each) {
        for (@Nullable VertexLabel label : work.catalog().vertexLabels().all()) {
            if (label == null) {
                continue;
            }
            VertexBatch some = new VertexBatch(false);
            long below = label.end();
            do {
                work.reads().scan(label, below, some);
                for (int i = 0; i < some.count(); i++) {
                    each.accept(some.number(i));
                }
                course.read(some.count());
            } while (!some.isDone());
        }
    }
}
