package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.algorithm.GraphAlgorithms;
import dev.oriel.graph.algorithm.VertexGroups;
import dev.oriel.graph.algorithm.VertexScores;
import dev.oriel.graph.algorithm.WeightedPath;
import dev.oriel.store.LimitException;
import dev.oriel.testkit.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;

/// Compares the algorithms with naive ones over maps, on random graphs.
final class GraphAlgorithmsTest {
    private static final int GRAPHS = Integer.getInteger("graphs", 40);

    private final SplittableRandom random = Seed.of("GraphAlgorithmsTest", 20261122);

    /// A graph, and its matrix of the least weights; infinite for no edge.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Case(OrielGraph graph, List<Vertex> vertices, double[][] weights) {
        int size() {
            return vertices.size();
        }

        boolean edge(int from, int to, Direction direction) {
            return (direction != Direction.IN && weights[from][to] < Double.POSITIVE_INFINITY)
                    || (direction != Direction.OUT && weights[to][from] < Double.POSITIVE_INFINITY);
        }
    }

    private Case randomCase(boolean declared) {
        OrielGraph graph = OrielGraph.inMemory();
        if (declared) {
            graph.schema().propertyKey("weight").asDouble().create();
            graph.schema().propertyKey("rank").asInt().create();
            graph.schema()
                    .edgeLabel("a")
                    .properties("weight", "rank")
                    .nullableKeys("weight")
                    .sortKeys("rank")
                    .multiTimes()
                    .create();
        }
        int size = 1 + random.nextInt(40);
        List<Vertex> vertices = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            vertices.add(graph.addVertex(random.nextBoolean() ? "x" : "y"));
        }
        double[][] weights = new double[size][size];
        for (double[] row : weights) {
            java.util.Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        for (int i = random.nextInt(3 * size + 1); i > 0; i--) {
            int from = random.nextInt(size);
            int to = random.nextInt(size);
            double weight = random.nextInt(10);
            String label = random.nextBoolean() ? "a" : "b";
            vertices.get(from)
                    .addEdge(label, vertices.get(to), "weight", weight, "rank", random.nextInt(5));
            weights[from][to] = Math.min(weights[from][to], weight);
        }
        if (random.nextBoolean()) {
            graph.tx().commit();
        }
        return new Case(graph, vertices, weights);
    }

    private static GraphAlgorithms along(OrielGraph graph, Direction direction) {
        return switch (direction) {
            case OUT -> graph.algorithms().out();
            case IN -> graph.algorithms().in();
            case BOTH -> graph.algorithms().both();
        };
    }

    /// Lengths of the shortest paths from `from`; -1 if there is none.
    private static int[] distances(Case of, int from, Direction direction) {
        int[] distances = new int[of.size()];
        java.util.Arrays.fill(distances, -1);
        distances[from] = 0;
        Deque<Integer> queue = new ArrayDeque<>(List.of(from));
        while (!queue.isEmpty()) {
            int at = queue.poll();
            for (int to = 0; to < of.size(); to++) {
                if (of.edge(at, to, direction) && distances[to] < 0) {
                    distances[to] = distances[at] + 1;
                    queue.add(to);
                }
            }
        }
        return distances;
    }

    @Test
    void searchesFindWhatTheSimplestOnesFind() {
        for (int i = 0; i < GRAPHS; i++) {
            Case of = randomCase(i % 2 == 0);
            try (OrielGraph graph = of.graph) {
                for (Direction direction : Direction.values()) {
                    compareSearches(of, graph, direction);
                }
            }
        }
    }

    @Test
    void pathsAreCountedAsOneByOne() {
        for (int i = 0; i < GRAPHS; i++) {
            Case of = randomCase(i % 2 == 0);
            try (OrielGraph graph = of.graph) {
                Vertex from = of.vertices.get(random.nextInt(of.size()));
                for (Direction direction : Direction.values()) {
                    for (int depth = 0; depth < 4; depth++) {
                        assertEquals(
                                paths(from, direction, depth),
                                along(graph, direction).countPaths(from, depth),
                                direction + " " + depth);
                    }
                }
                if (graph.schema().edgeLabels().contains("a")) {
                    assertEquals(
                            paths(from, Direction.OUT, 2, "a"),
                            graph.algorithms().out("a").countPaths(from, 2));
                }
            }
        }
    }

    private static long paths(Vertex from, Direction direction, int depth, String... labels) {
        if (depth == 0) {
            return 1;
        }
        long[] paths = new long[1];
        from.vertices(direction, labels)
                .forEachRemaining(next -> paths[0] += paths(next, direction, depth - 1, labels));
        return paths[0];
    }

    @Test
    void pathsAreNotCountedFromNowhereAlongNothingOrAgainstAWish() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex hub = graph.addVertex();
            for (int i = 0; i < 5_000; i++) {
                hub.addEdge("e", graph.addVertex());
            }
            GraphAlgorithms along = graph.algorithms().out("e");
            assertEquals(5_000, along.countPaths(hub, 1));
            assertEquals(0, along.countPaths(hub, 2));
            assertThrows(IllegalArgumentException.class, () -> along.countPaths(hub, -1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> graph.algorithms().out("none").countPaths(hub, 1));
            assertThrows(
                    CancellationException.class,
                    () -> along.cancelledBy(() -> true).countPaths(hub, 3));
            assertThrows(
                    LimitException.class, () -> along.memoryBytesMax(10_000).countPaths(hub, 2));
            hub.remove();
            assertThrows(IllegalStateException.class, () -> along.countPaths(hub, 1));
        }
    }

    @Test
    void pathsMayBeLongerThanAStackIsDeep() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex first = graph.addVertex();
            Vertex second = graph.addVertex();
            first.addEdge("e", second);
            second.addEdge("e", first);
            assertEquals(1, graph.algorithms().out("e").countPaths(first, 100_000));
        }
    }

    @Test
    void morePathsThanALongHoldsAreAnErrorAndNotAnotherNumber() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            Vertex one = graph.addVertex();
            one.addEdge("e", one);
            one.addEdge("e", one);
            GraphAlgorithms along = graph.algorithms().out("e");
            assertEquals(1L << 62, along.countPaths(one, 62));
            for (int depth = 63; depth < 140; depth++) {
                int tooDeep = depth;
                assertThrows(LimitException.class, () -> along.countPaths(one, tooDeep));
            }
        }
    }

    private void compareSearches(Case of, OrielGraph graph, Direction direction) {
        GraphAlgorithms algorithms = along(graph, direction);
        int from = random.nextInt(of.size());
        int[] distances = distances(of, from, direction);
        Vertex start = of.vertices.get(from);
        for (int depth = 0; depth < 5; depth++) {
            Set<Vertex> exactly = new HashSet<>();
            Set<Vertex> within = new HashSet<>();
            for (int to = 0; to < of.size(); to++) {
                if (distances[to] == depth) {
                    exactly.add(of.vertices.get(to));
                }
                if (distances[to] > 0 && distances[to] <= depth) {
                    within.add(of.vertices.get(to));
                }
            }
            assertEquals(exactly, new HashSet<>(algorithms.kOut(start, depth)));
            assertEquals(within, new HashSet<>(algorithms.kNeighbour(start, depth)));
        }
        int to = random.nextInt(of.size());
        Vertex end = of.vertices.get(to);
        List<Vertex> path = algorithms.shortestPath(start, end);
        assertEquals(distances[to] + 1, path.size());
        checkPath(of, path, start, end, direction);
        List<List<Vertex>> all = algorithms.allShortestPaths(start, end, Long.MAX_VALUE);
        assertEquals(countPaths(of, distances, from, to, direction), all.size());
        assertEquals(all.size(), new HashSet<>(all).size());
        for (List<Vertex> each : all) {
            assertEquals(distances[to] + 1, each.size());
            checkPath(of, each, start, end, direction);
        }
        if (all.size() > 1) {
            assertEquals(1, algorithms.allShortestPaths(start, end, 1).size());
        }
        compareWeighted(of, algorithms, direction, from, to);
    }

    private static void checkPath(
            Case of, List<Vertex> path, Vertex start, Vertex end, Direction direction) {
        for (int i = 0; i < path.size(); i++) {
            if (i > 0) {
                int before = of.vertices.indexOf(path.get(i - 1));
                int at = of.vertices.indexOf(path.get(i));
                assertTrue(of.edge(before, at, direction), path::toString);
            }
        }
        if (!path.isEmpty()) {
            assertEquals(start, path.getFirst());
            assertEquals(end, path.getLast());
        }
    }

    private static long countPaths(
            Case of, int[] distances, int from, int to, Direction direction) {
        if (distances[to] < 0) {
            return 0;
        }
        if (to == from) {
            return 1;
        }
        long count = 0;
        for (int before = 0; before < of.size(); before++) {
            if (of.edge(before, to, direction)
                    && distances[before] == distances[to] - 1
                    && distances[before] >= 0) {
                count += countPaths(of, distances, from, before, direction);
            }
        }
        return count;
    }

    /// Compares with Bellman-Ford.
    private static void compareWeighted(
            Case of, GraphAlgorithms algorithms, Direction direction, int from, int to) {
        double[] best = new double[of.size()];
        java.util.Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[from] = 0;
        for (int round = 0; round < of.size(); round++) {
            for (int a = 0; a < of.size(); a++) {
                for (int b = 0; b < of.size(); b++) {
                    double out =
                            direction == Direction.IN ? Double.POSITIVE_INFINITY : of.weights[a][b];
                    double in =
                            direction == Direction.OUT
                                    ? Double.POSITIVE_INFINITY
                                    : of.weights[b][a];
                    best[b] = Math.min(best[b], best[a] + Math.min(out, in));
                }
            }
        }
        if (of.graph.catalog().keys().byName("weight") == null) { // there was no edge
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            algorithms.weightedPath(
                                    of.vertices.get(from), of.vertices.get(to), "weight"));
            return;
        }
        Optional<WeightedPath> found =
                algorithms.weightedPath(of.vertices.get(from), of.vertices.get(to), "weight");
        assertEquals(best[to] < Double.POSITIVE_INFINITY, found.isPresent());
        if (found.isPresent()) {
            assertEquals(best[to], found.get().weight());
            List<Vertex> path = found.get().vertices();
            checkPath(of, path, of.vertices.get(from), of.vertices.get(to), direction);
        }
    }

    @Test
    void ranksAndComponentsAreThoseOfTheSimplestWay() {
        for (int i = 0; i < GRAPHS; i++) {
            Case of = randomCase(i % 2 == 0);
            try (OrielGraph graph = of.graph) {
                compareRanks(of, graph, Long.MAX_VALUE);
                compareComponents(of, graph);
            }
        }
    }

    private static void compareRanks(Case of, OrielGraph graph, long memory) {
        int size = of.size();
        double[][] counts = new double[size][size];
        graph.traversal()
                .E()
                .forEachRemaining(edge ->
                        counts[of.vertices.indexOf(edge.outVertex())][
                                        of.vertices.indexOf(edge.inVertex())] +=
                                1);
        double[] ranks = new double[size];
        java.util.Arrays.fill(ranks, 1.0 / size);
        for (int round = 0; round < 20; round++) {
            double[] next = new double[size];
            for (int from = 0; from < size; from++) {
                double degree = java.util.Arrays.stream(counts[from]).sum();
                for (int to = 0; to < size; to++) {
                    next[to] += (1 - 0.85) * ranks[from] / size;
                    next[to] +=
                            0.85
                                    * ranks[from]
                                    * (degree == 0 ? 1.0 / size : counts[from][to] / degree);
                }
            }
            ranks = next;
        }
        VertexScores found = graph.algorithms().memoryBytesMax(memory).pageRank(20, 0.85);
        double sum = 0;
        for (int i = 0; i < size; i++) {
            assertEquals(ranks[i], found.of(of.vertices.get(i)), 1e-8);
            sum += found.of(of.vertices.get(i));
        }
        assertEquals(1, sum, 1e-9);
        List<VertexScores.Scored> top = found.top(3);
        assertEquals(Math.min(3, size), top.size());
        assertEquals(java.util.Arrays.stream(ranks).max().orElse(0), top.getFirst().score(), 1e-8);
    }

    private static void compareComponents(Case of, OrielGraph graph) {
        VertexGroups found = graph.algorithms().connectedComponents();
        Map<Integer, Integer> first = new HashMap<>();
        for (int i = 0; i < of.size(); i++) {
            int[] distances = distances(of, i, Direction.BOTH);
            for (int to = 0; to < of.size(); to++) {
                if (distances[to] >= 0) {
                    first.merge(i, to, Math::min);
                    assertEquals(found.of(of.vertices.get(i)), found.of(of.vertices.get(to)));
                }
            }
        }
        Set<Integer> groups = new TreeSet<>(first.values());
        assertEquals(groups.size(), found.groups().size());
        assertEquals(of.size(), found.groups().stream().mapToInt(VertexGroups.Group::size).sum());
        assertEquals(of.size(), found.members().size());
    }

    /// A chain of `length` edges.
    private static OrielGraph chain(int length) {
        OrielGraph graph = OrielGraph.inMemory();
        Vertex last = graph.addVertex("v");
        for (int i = 0; i < length; i++) {
            Vertex next = graph.addVertex("v");
            last.addEdge("next", next, "weight", 1);
            last = next;
        }
        graph.tx().commit();
        return graph;
    }

    @Test
    void memoryIsBoundedAndEdgesAreReadAnewWhereTheyDoNotFit() {
        Case of = randomCase(false);
        try (OrielGraph graph = of.graph) {
            compareRanks(of, graph, 8_000); // room for the vertices, and for no edges
        }
        try (OrielGraph graph = chain(5_000)) {
            Vertex first = graph.traversal().V().limit(1).next();
            LimitException e =
                    assertThrows(
                            LimitException.class,
                            () ->
                                    graph.algorithms()
                                            .memoryBytesMax(50_000)
                                            .kNeighbour(first, 5_000));
            assertTrue(String.valueOf(e.getMessage()).contains("raise the limit"), e.getMessage());
            assertThrows(
                    LimitException.class,
                    () -> graph.algorithms().memoryBytesMax(50_000).pageRank(2, 0.85));
            VertexScores all = graph.algorithms().pageRank(2, 0.85);
            long enough = 5_001 * (2 * 32 + 16 + 8 + 20) + 16_000;
            VertexScores less = graph.algorithms().memoryBytesMax(enough).pageRank(2, 0.85);
            assertEquals(all.of(first), less.of(first), 0);
            assertEquals(5_000, graph.algorithms().kNeighbour(first, 5_000).size());
        }
    }

    @Test
    void algorithmsTellHowFarTheyAreAndEndWhenTheyAreToldTo() {
        try (OrielGraph graph = chain(20_000)) {
            Vertex first = graph.traversal().V().limit(1).next();
            AtomicLong read = new AtomicLong();
            graph.algorithms().progress(read::set).connectedComponents();
            assertTrue(read.get() > 10_000, read::toString);
            read.set(0);
            GraphAlgorithms ending = graph.algorithms().progress(read::set);
            assertThrows(
                    CancellationException.class,
                    () -> ending.cancelledBy(() -> read.get() > 5_000).kNeighbour(first, 20_000));
            assertTrue(read.get() < 20_000, read::toString);
            Thread.currentThread().interrupt();
            assertThrows(
                    TraversalInterruptedException.class,
                    () -> graph.algorithms().kNeighbour(first, 20_000));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void gremlinCallsThem() {
        try (OrielGraph graph = chain(6)) {
            GraphTraversalSource g = graph.traversal();
            List<Vertex> chain = g.V().toList();
            Object first = chain.getFirst().id();
            assertEquals(
                    List.of(chain.get(2)),
                    g.call("oriel.kOut", Map.of("from", first, "depth", 2)).toList());
            assertEquals(
                    chain.subList(1, 4),
                    g.V(first).call("oriel.kNeighbour", Map.of("depth", 3)).toList());
            Path path =
                    (Path)
                            g.call("oriel.shortestPath", Map.of("from", first, "to", chain.get(3)))
                                    .next();
            assertEquals(chain.subList(0, 4), path.objects());
            assertEquals(
                    1,
                    g.V(first)
                            .call("oriel.allShortestPaths", Map.of("to", chain.get(3).id()))
                            .toList()
                            .size());
            Map<?, ?> weighted =
                    (Map<?, ?>)
                            g.V(first)
                                    .call(
                                            "oriel.weightedPath",
                                            Map.of(
                                                    "to",
                                                    chain.get(5),
                                                    "weight",
                                                    "weight",
                                                    "labels",
                                                    "next"))
                                    .next();
            assertEquals(5.0, weighted.get("weight"));
            assertEquals(7, g.call("oriel.pageRank").toList().size());
            Map<?, ?> best = (Map<?, ?>) g.call("oriel.pageRank", Map.of("limit", 1)).next();
            assertEquals(chain.getLast(), best.get("vertex"));
            assertEquals(
                    Set.of(first),
                    Set.copyOf(g.call("oriel.connectedComponents").select("component").toList()));
            assertTrue(g.call("--list").toList().toString().contains("oriel.pageRank"));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> g.call("oriel.kOut", Map.of("from", first, "deep", 2)).toList());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> g.V(first).call("oriel.kOut", Map.of("labels", "none")).toList());
        }
    }
}
