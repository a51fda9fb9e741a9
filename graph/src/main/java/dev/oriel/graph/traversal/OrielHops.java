package dev.oriel.graph.traversal;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.GraphCatalog;
import dev.oriel.graph.element.EdgeIterator;
import dev.oriel.graph.element.EdgeRanges;
import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.graph.element.NeighbourBatch;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.RangeReads;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.memory.PathCounts;
import dev.oriel.graph.range.CancellationCheck;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// Hops over the graph's own edge tables. Neighbours are read from the keys of ranges only, into buffers reused
/// for each vertex.
public final class OrielHops implements HopSource {
    /// Number of vertices added between two updates of the memory budget.
    private static final int PORTION = 1 << 14;

    private final StoredGraph graph;

    /// Hop of the last count, for which the labels are cached.
    private @Nullable Hop countedHop;

    private GraphCatalog.@Nullable EdgeLabels countedKnown;
    private EdgeLabel[] countedLabels = {};

    public OrielHops(StoredGraph graph) {
        this.graph = graph;
    }

    @Override
    public long number(Vertex vertex) {
        if (!ForeignVertices.isOwn(vertex, graph)) {
            return STRANGER;
        }
        OrielVertex own = (OrielVertex) vertex;
        return own.isRemoved() ? REMOVED : own.number();
    }

    @Override
    public Vertex vertex(long number) {
        return new OrielVertex(graph, number, null);
    }

    @Override
    public long degree(Hop hop, long vertex) {
        RangeReads reads = graph.work().reads();
        long degree = 0;
        for (EdgeLabel label : labels(hop)) {
            degree += reads.degree(label, vertex, hop.direction());
        }
        return degree;
    }

    @Override
    public long degrees(Hop hop, LongMultiset from, CancellationCheck cancellation) {
        RangeReads reads = graph.work().reads();
        long sum = 0;
        for (EdgeLabel label : labels(hop)) {
            sum = PathCounts.sum(sum, reads.degrees(label, from, hop.direction(), cancellation));
        }
        return sum;
    }

    /// Number of paths of `length` edges along `hop` from `from`. Paths are counted level by level, so a vertex
    /// that is reached repeatedly on a level is expanded once. The edges of the last level are counted without
    /// being read.
    ///
    /// @param length 1 or more
    /// @param budget memory budget for two levels
    /// @throws dev.oriel.store.LimitException if that is more than a long holds
    public long paths(
            Hop hop, long from, int length, CancellationCheck cancellation, Budget budget) {
        if (length == 1) {
            return degree(hop, from);
        }
        HopReader reader = reader(hop);
        LongMultiset reached = new LongMultiset();
        LongMultiset next = new LongMultiset();
        reached.add(from, 1);
        long taken = 0;
        for (int level = 1; level < length && reached.size() > 0; level++) {
            for (int i = 0; i < reached.size(); i++) {
                reader.begin(reached.key(i));
                boolean done = false;
                while (!done) {
                    cancellation.check();
                    done = reader.read(next, reached.bulk(i), next.size() + PORTION);
                    long now = reached.bytes() + next.bytes();
                    budget.take(now - taken);
                    taken = now;
                }
            }
            LongMultiset used = reached;
            reached = next;
            next = used;
            next.clear();
        }
        return degrees(hop, reached, cancellation);
    }

    /// The edge labels of a hop, cached for many vertices.
    @SuppressWarnings("ReferenceEquality") // other labels are another object
    private EdgeLabel[] labels(Hop hop) {
        GraphCatalog.EdgeLabels now = graph.catalog().edgeLabels();
        if (now != countedKnown || hop != countedHop) {
            countedKnown = now;
            countedHop = hop;
            countedLabels = EdgeIterator.labels(graph, hop.names());
        }
        return countedLabels;
    }

    @Override
    public HopReader reader(Hop hop) {
        return new Reader(graph, hop);
    }

    @Override
    public List<String> plan(Hop hop) {
        List<String> words = new ArrayList<>();
        for (EdgeLabel label : labels(hop)) {
            if (hop.direction() != Direction.IN) {
                words.add(label.name() + " by primary key");
            }
            if (hop.direction() != Direction.OUT) {
                words.add(label.name() + " by index " + label.incoming().name());
            }
        }
        return words;
    }

    private static final class Reader extends EdgeRanges<NeighbourBatch> implements HopReader {
        private final StoredGraph graph;
        private final String[] names;
        private final Direction direction;
        private EdgeLabel[] labels;
        private GraphCatalog.EdgeLabels known;

        Reader(StoredGraph graph, Hop hop) {
            super(graph, new NeighbourBatch());
            this.graph = graph;
            this.names = hop.names();
            this.direction = hop.direction();
            this.known = graph.catalog().edgeLabels();
            this.labels = EdgeIterator.labels(graph, names);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // other labels are another object
        public void begin(long of) {
            GraphCatalog.EdgeLabels now = graph.catalog().edgeLabels();
            if (now != known) {
                known = now;
                labels = EdgeIterator.labels(graph, names);
            }
            begin(labels, of, direction);
        }

        @Override
        public boolean read(LongMultiset into, long bulk, int most) {
            do {
                NeighbourBatch batch = batch();
                while (batch.hasNext()) {
                    into.add(batch.next(), bulk);
                    if (into.size() >= most) {
                        return !batch.hasNext() && isLast();
                    }
                }
            } while (readOn());
            return true;
        }

        @Override
        protected void read(
                GraphTransaction work,
                EdgeLabel of,
                boolean backwards,
                long below,
                NeighbourBatch into) {
            work.reads().neighbours(of, vertex(), backwards, below, into);
        }
    }
}
