package dev.oriel.graph.algorithm;

import dev.oriel.graph.element.StoredGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ImmutablePath;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// An algorithm as a Gremlin service: `g.call('oriel.kOut', [from: 1, depth: 2])`, or for each incoming vertex:
/// `g.V(1).call('oriel.kOut', [depth: 2])`.
@SuppressWarnings("rawtypes") // as the interfaces have it
public final class AlgorithmService
        implements Service<Object, Object>, Service.ServiceFactory<Object, Object> {
    private static final int DEPTH_USUAL = 1;
    private static final long PATHS_USUAL = 1_000;
    private static final int ITERATIONS_USUAL = 50;
    private static final double DAMPING_USUAL = 0.85;
    private static final String ALONG =
            "OUT, IN or BOTH: which way edges are taken; OUT where nothing is said";

    private final StoredGraph graph;
    private final Algorithm algorithm;
    private final Type type;

    /// The algorithms, with their parameters besides `direction`, `labels` and `memoryBytesMax`.
    @SuppressWarnings("ImmutableEnumChecker") // lists made by List.of
    enum Algorithm {
        K_OUT("oriel.kOut", true, "from", "depth"),
        K_NEIGHBOUR("oriel.kNeighbour", true, "from", "depth"),
        SHORTEST_PATH("oriel.shortestPath", true, "from", "to"),
        ALL_SHORTEST_PATHS("oriel.allShortestPaths", true, "from", "to", "limit"),
        WEIGHTED_PATH("oriel.weightedPath", true, "from", "to", "weight"),
        PAGE_RANK("oriel.pageRank", false, "iterations", "damping", "limit"),
        CONNECTED_COMPONENTS("oriel.connectedComponents", false);

        private final String word;
        private final boolean fromVertex;
        private final List<String> parameters;

        Algorithm(String word, boolean fromVertex, String... parameters) {
            this.word = word;
            this.fromVertex = fromVertex;
            this.parameters = List.of(parameters);
        }
    }

    private static final Map<String, String> MEANINGS =
            Map.of(
                    "from",
                            "the vertex, or its id, that it begins at; the one that comes, in a traversal",
                    "to", "the vertex, or its id, that it ends at",
                    "depth", "how many edges; 1 where nothing is said",
                    "limit", "how many results at most",
                    "weight", "the property of edges that says what they weigh",
                    "iterations", "how many passes at most; 50 where nothing is said",
                    "damping", "how likely an edge is taken; 0.85 where nothing is said");

    private AlgorithmService(StoredGraph graph, Algorithm algorithm, Type type) {
        this.graph = graph;
        this.algorithm = algorithm;
        this.type = type;
    }

    /// All algorithms over `graph`.
    public static ServiceRegistry registry(StoredGraph graph) {
        ServiceRegistry registry = new ServiceRegistry();
        for (Algorithm algorithm : Algorithm.values()) {
            registry.registerService(new AlgorithmService(graph, algorithm, Type.Start));
        }
        registry.registerService(new SearchService(graph));
        return registry;
    }

    @Override
    public String getName() {
        return algorithm.word;
    }

    @Override
    public Type getType() {
        return type;
    }

    @Override
    public Set<Type> getSupportedTypes() {
        return algorithm.fromVertex ? Set.of(Type.Start, Type.Streaming) : Set.of(Type.Start);
    }

    @Override
    public Map describeParams() {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (String parameter : algorithm.parameters) {
            meanings.put(parameter, String.valueOf(MEANINGS.get(parameter)));
        }
        meanings.put("direction", ALONG);
        meanings.put("labels", "an edge label or a list of them; all where nothing is said");
        meanings.put("memoryBytesMax", "how much of the heap it may take");
        return meanings;
    }

    @Override
    public Service<Object, Object> createService(boolean isStart, Map params) {
        if (!isStart && !algorithm.fromVertex) {
            throw new UnsupportedOperationException(Exceptions.cannotUseMidTraversal);
        }
        return new AlgorithmService(graph, algorithm, isStart ? Type.Start : Type.Streaming);
    }

    @Override
    public CloseableIterator<Object> execute(ServiceCallContext context, Map params) {
        return CloseableIterator.of(run(null, params));
    }

    @Override
    public CloseableIterator<Object> execute(
            ServiceCallContext context, Traverser.Admin<Object> in, Map params) {
        if (!(in.get() instanceof Vertex vertex)) {
            throw new IllegalArgumentException(
                    "%s begins at vertices, not at %s".formatted(algorithm.word, in.get()));
        }
        return CloseableIterator.of(run(vertex, params));
    }

    /// @param come the incoming vertex, or null at the start of a traversal
    private Iterator<Object> run(@Nullable Vertex come, Map<?, ?> params) {
        Parameters given = new Parameters(params);
        GraphAlgorithms on = given.algorithms();
        List<?> results =
                switch (algorithm) {
                    case K_OUT -> on.kOut(given.from(come), given.whole("depth", DEPTH_USUAL));
                    case K_NEIGHBOUR ->
                            on.kNeighbour(given.from(come), given.whole("depth", DEPTH_USUAL));
                    case SHORTEST_PATH -> {
                        List<Vertex> found = on.shortestPath(given.from(come), given.vertex("to"));
                        yield found.isEmpty() ? List.of() : List.of(path(found));
                    }
                    case ALL_SHORTEST_PATHS ->
                            on
                                    .allShortestPaths(
                                            given.from(come),
                                            given.vertex("to"),
                                            given.number("limit", PATHS_USUAL).longValue())
                                    .stream()
                                    .map(AlgorithmService::path)
                                    .toList();
                    case WEIGHTED_PATH ->
                            on
                                    .weightedPath(
                                            given.from(come),
                                            given.vertex("to"),
                                            String.valueOf(given.needed("weight")))
                                    .stream()
                                    .map(AlgorithmService::weighted)
                                    .toList();
                    case PAGE_RANK -> ranks(on, given);
                    case CONNECTED_COMPONENTS -> components(on);
                };
        @SuppressWarnings("unchecked") // all is an object
        Iterator<Object> iterator = (Iterator<Object>) results.iterator();
        return iterator;
    }

    private static Path path(List<Vertex> vertices) {
        Path path = ImmutablePath.make();
        for (Vertex vertex : vertices) {
            path = path.extend(vertex, Set.of());
        }
        return path;
    }

    private static Map<String, Object> weighted(WeightedPath found) {
        return ordered("weight", found.weight(), "path", path(found.vertices()));
    }

    private static Map<String, Object> ordered(
            String first, Object firstValue, String second, Object secondValue) {
        Map<String, Object> map = new LinkedHashMap<>(4);
        map.put(first, firstValue);
        map.put(second, secondValue);
        return map;
    }

    private static List<Map<String, Object>> ranks(GraphAlgorithms on, Parameters given) {
        VertexScores ranks =
                on.pageRank(
                        given.whole("iterations", ITERATIONS_USUAL),
                        given.number("damping", DAMPING_USUAL).doubleValue());
        return ranks.top(given.whole("limit", Integer.MAX_VALUE)).stream()
                .map(each -> ordered("vertex", each.vertex(), "rank", each.score()))
                .toList();
    }

    private static List<Map<String, Object>> components(GraphAlgorithms on) {
        List<VertexGroups.Member> members = on.connectedComponents().members();
        return new java.util.AbstractList<>() {
            @Override
            public Map<String, Object> get(int index) {
                VertexGroups.Member member = members.get(index);
                return ordered("vertex", member.vertex(), "component", member.first().id());
            }

            @Override
            public int size() {
                return members.size();
            }
        };
    }

    @Override
    public void close() {
        // The service holds nothing: results are arrays.
    }

    /// Parameters of a call.
    private final class Parameters {
        private final Map<?, ?> given;

        Parameters(Map<?, ?> given) {
            this.given = given;
            Set<?> known = describeParams().keySet();
            for (Object name : given.keySet()) {
                if (!known.contains(name)) {
                    throw new IllegalArgumentException(
                            "%s has no parameter %s; it takes %s"
                                    .formatted(algorithm.word, name, known));
                }
            }
        }

        GraphAlgorithms algorithms() {
            String[] labels = labels().toArray(String[]::new);
            GraphAlgorithms on =
                    switch (direction()) {
                        case OUT -> new GraphAlgorithms(graph).out(labels);
                        case IN -> new GraphAlgorithms(graph).in(labels);
                        case BOTH -> new GraphAlgorithms(graph).both(labels);
                    };
            return given.containsKey("memoryBytesMax")
                    ? on.memoryBytesMax(number("memoryBytesMax", 0).longValue())
                    : on;
        }

        private Direction direction() {
            Object said = given.get("direction");
            return switch (said) {
                case null -> Direction.OUT;
                case Direction direction -> direction;
                default -> {
                    try {
                        yield Direction.valueOf(said.toString().toUpperCase(Locale.ROOT));
                    } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException(
                                "A direction is OUT, IN or BOTH, not " + said, e);
                    }
                }
            };
        }

        private List<String> labels() {
            List<String> labels = new ArrayList<>();
            switch (given.get("labels")) {
                case null -> {}
                case Collection<?> several ->
                        several.forEach(label -> labels.add(String.valueOf(label)));
                case Object one -> labels.add(one.toString());
            }
            return labels;
        }

        Object needed(String name) {
            Object value = given.get(name);
            if (value == null) {
                throw new IllegalArgumentException(
                        "%s needs the parameter %s: %s"
                                .formatted(algorithm.word, name, MEANINGS.get(name)));
            }
            return value;
        }

        Number number(String name, Number otherwise) {
            Object value = given.get(name);
            if (value == null) {
                return otherwise;
            }
            if (value instanceof Number number) {
                return number;
            }
            throw new IllegalArgumentException(
                    "The parameter %s is a number, not %s".formatted(name, value));
        }

        int whole(String name, int otherwise) {
            return Math.toIntExact(number(name, otherwise).longValue());
        }

        Vertex from(@Nullable Vertex come) {
            return come != null && !given.containsKey("from") ? come : vertex("from");
        }

        Vertex vertex(String name) {
            Object value = needed(name);
            if (value instanceof Vertex vertex) {
                return vertex;
            }
            Iterator<Vertex> found = graph.vertices(value);
            if (!found.hasNext()) {
                throw new IllegalArgumentException(
                        "There is no vertex %s, which the parameter %s names"
                                .formatted(value, name));
            }
            return found.next();
        }
    }
}
