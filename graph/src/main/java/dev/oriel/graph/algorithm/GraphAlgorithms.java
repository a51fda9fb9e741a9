package dev.oriel.graph.algorithm;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.element.OrielElement;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.traversal.Hop;
import dev.oriel.graph.traversal.OrielHops;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Algorithms over a whole graph or the surroundings of a vertex. They read the edge tables by cursors into
/// primitive arrays, without an object for each vertex. Gremlin calls them by `call()`, see docs/graph.md.
///
/// ```java
/// List<Vertex> near = graph.algorithms().out("knows").kNeighbour(marko, 3);
/// ```
/// They run in the transaction of the calling thread and see its changes. Each can be cancelled, by [#cancelledBy]
/// or by an interrupt. If it needs more memory than [#memoryBytesMax] allows, it ends with a
/// [dev.oriel.store.LimitException].
///
/// Immutable: each setting makes a new object.
public final class GraphAlgorithms {
    private final StoredGraph graph;
    private final Settings settings;

    private record Settings(
            Direction direction,
            List<String> labels,
            long memoryBytesMax,
            LongConsumer progress,
            BooleanSupplier cancelled) {}

    public GraphAlgorithms(StoredGraph graph) {
        this(
                graph,
                new Settings(
                        Direction.OUT, List.of(), Budget.usualBytesMax(), _ -> {}, () -> false));
    }

    private GraphAlgorithms(StoredGraph graph, Settings settings) {
        this.graph = graph;
        this.settings = settings;
    }

    private GraphAlgorithms along(Direction direction, String... labels) {
        return new GraphAlgorithms(
                graph,
                new Settings(
                        direction,
                        List.of(labels),
                        settings.memoryBytesMax,
                        settings.progress,
                        settings.cancelled));
    }

    /// Follows edges of these labels, or of all, in their direction: the default.
    public GraphAlgorithms out(String... labels) {
        return along(Direction.OUT, labels);
    }

    /// Follows edges against their direction.
    public GraphAlgorithms in(String... labels) {
        return along(Direction.IN, labels);
    }

    /// Follows edges in both directions.
    public GraphAlgorithms both(String... labels) {
        return along(Direction.BOTH, labels);
    }

    /// Memory limit of a run; by default half of the JVM's maximum heap.
    public GraphAlgorithms memoryBytesMax(long bytes) {
        return new GraphAlgorithms(
                graph,
                new Settings(
                        settings.direction,
                        settings.labels,
                        bytes,
                        settings.progress,
                        settings.cancelled));
    }

    /// Sets a callback that periodically receives the number of edges read so far, on the reading thread.
    public GraphAlgorithms progress(LongConsumer edgesRead) {
        return new GraphAlgorithms(
                graph,
                new Settings(
                        settings.direction,
                        settings.labels,
                        settings.memoryBytesMax,
                        edgesRead,
                        settings.cancelled));
    }

    /// Sets a callback that is polled periodically; true ends the run with a
    /// [java.util.concurrent.CancellationException].
    public GraphAlgorithms cancelledBy(BooleanSupplier cancelled) {
        return new GraphAlgorithms(
                graph,
                new Settings(
                        settings.direction,
                        settings.labels,
                        settings.memoryBytesMax,
                        settings.progress,
                        cancelled));
    }

    private Course course(String what) {
        return new Course(what, settings.memoryBytesMax, settings.progress, settings.cancelled);
    }

    private Hops hops(String what) {
        String[] labels = settings.labels.toArray(String[]::new);
        return new Hops(graph, course(what), settings.direction, labels);
    }

    private long number(Vertex vertex) {
        if (!(vertex instanceof OrielVertex own) || own.graph().catalog() != graph.catalog()) {
            throw new IllegalArgumentException("The vertex is of another graph: " + vertex);
        }
        if (!graph.work().vertices().exists(own.number())) {
            throw OrielElement.removed(Vertex.class, own.id());
        }
        return own.number();
    }

    private static void checkDepth(int depth) {
        if (depth < 0) {
            throw new IllegalArgumentException("A depth is 0 or more, not " + depth);
        }
    }

    /// The vertices whose shortest path from `from` has exactly `depth` edges.
    public List<Vertex> kOut(Vertex from, int depth) {
        checkDepth(depth);
        PathSearch search = new PathSearch(hops("k-out"));
        return new VertexList(graph, search.within(number(from), depth, true));
    }

    /// The vertices other than `from` that a path of at most `depth` edges reaches.
    public List<Vertex> kNeighbour(Vertex from, int depth) {
        checkDepth(depth);
        PathSearch search = new PathSearch(hops("k-neighbour"));
        return new VertexList(graph, search.within(number(from), depth, false));
    }

    /// Number of paths of exactly `depth` edges from `from`; a path may repeat edges and vertices. A vertex that
    /// is reached repeatedly on a level is expanded once, and the edges of the last level are counted without
    /// being read.
    ///
    /// @throws dev.oriel.store.LimitException if that is more than a long holds
    public long countPaths(Vertex from, int depth) {
        checkDepth(depth);
        Hops.checkLabels(graph, settings.labels);
        long start = number(from);
        if (depth == 0) {
            return 1;
        }
        Course course = course("A count of paths");
        Hop hop = new Hop(settings.direction, settings.labels);
        return new OrielHops(graph).paths(hop, start, depth, () -> course.read(0), course.budget());
    }

    /// The vertices of a path with the fewest edges, both ends included; empty if there is none.
    public List<Vertex> shortestPath(Vertex from, Vertex to) {
        PathSearch search = new PathSearch(hops("A shortest path"));
        return new VertexList(graph, search.shortest(number(from), number(to)));
    }

    /// All paths with the fewest edges, ordered by their vertices' numbers from the last one on; `most` of them at
    /// most.
    public List<List<Vertex>> allShortestPaths(Vertex from, Vertex to, long most) {
        PathSearch search = new PathSearch(hops("All shortest paths"));
        return search.allShortest(number(from), number(to), most).stream()
                .<List<Vertex>>map(path -> new VertexList(graph, path))
                .toList();
    }

    /// The path with the least total weight, by the property `weight` of its edges.
    ///
    /// @throws IllegalArgumentException if an edge that is read has no number of 0 or more there
    public Optional<WeightedPath> weightedPath(Vertex from, Vertex to, String weight) {
        PropertyKey key = graph.catalog().keys().byName(weight);
        if (key == null) {
            throw new IllegalArgumentException("There is no property key " + weight);
        }
        LightestPath.Found found =
                new LightestPath(hops("A weighted path"), key).find(number(from), number(to));
        return found.vertices().length == 0
                ? Optional.empty()
                : Optional.of(
                        new WeightedPath(new VertexList(graph, found.vertices()), found.weight()));
    }

    /// PageRank (Brin and Page, 1998): the probability of each vertex on an endless random walk along edges. With
    /// probability `1 - damping` at each step, and always if no edge leads on, the walk restarts at a random
    /// vertex. The ranks add up to 1.
    ///
    /// @param iterations maximum; fewer if the total change of ranks falls to 1e-9
    /// @param damping 0 to 1; 0.85 is usual
    public VertexScores pageRank(int iterations, double damping) {
        if (iterations < 0 || !(damping >= 0 && damping <= 1)) {
            throw new IllegalArgumentException(
                    "PageRank takes 0 iterations or more, and a damping of 0 to 1");
        }
        Hops hops = hops("PageRank");
        DenseGraph dense = new DenseGraph(hops);
        Ranking ranking = new Ranking(dense, hops.course().budget(), damping);
        return new VertexScores(graph, dense, ranking.ranks(iterations));
    }

    /// The connected components, regardless of the direction of edges.
    public VertexGroups connectedComponents() {
        Course course = course("Connected components");
        Hops hops = new Hops(graph, course, Direction.OUT, settings.labels.toArray(String[]::new));
        DenseGraph dense = new DenseGraph(hops);
        course.budget().take((long) dense.size() * Integer.BYTES);
        int[] parents = new int[dense.size()];
        Arrays.setAll(parents, place -> place);
        dense.edges((from, to) -> unite(parents, from, to));
        for (int place = 0; place < parents.length; place++) {
            parents[place] = root(parents, place);
        }
        return new VertexGroups(graph, dense, parents);
    }

    /// Makes the lower one the root, so that a group is identified by its first vertex.
    private static void unite(int[] parents, int one, int other) {
        int first = root(parents, one);
        int second = root(parents, other);
        parents[Math.max(first, second)] = Math.min(first, second);
    }

    private static int root(int[] parents, int place) {
        int at = place;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]]; // path halving
            at = parents[at];
        }
        return at;
    }
}
