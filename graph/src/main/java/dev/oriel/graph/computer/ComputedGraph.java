package dev.oriel.graph.computer;

import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.element.VertexIterator;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.LongList;
import dev.oriel.graph.memory.LongSet;
import dev.oriel.graph.transaction.SnapshotTransaction;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphFilter;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/// Input and result of a graph computer: the graph at the start of the computer, reduced by a filter, with the
/// programs' computed values beside it. Only the numbers of the vertices are copied; edges and properties are read
/// from the tables on demand.
///
/// ```
///   answer of the second program      its values
///     answer of the first program     its values
///       snapshot                      tables
/// ```
/// While a program runs, each vertex sees the edges that the filter takes from its side. In a result, an edge
/// belongs to both of its ends if the filter takes it from its source. A result is read-only and may be used by
/// any number of threads. It holds the snapshot until it is closed or unreachable.
final class ComputedGraph implements Graph {
    private static final Cleaner CLEANER = Cleaner.create();

    private final SnapshotTransaction snapshot;

    /// Graph below; null if this is directly over the snapshot.
    private final @Nullable ComputedGraph below;

    private final GraphFilter filter;
    private final ComputedValues values;
    private final long[] numbers;

    /// Set of the elements of `numbers`; null if they are all vertices of the snapshot.
    private final @Nullable LongSet known;

    private final boolean running;
    private final boolean hasEdges;
    private final Cleaner.@Nullable Cleanable holding;

    /// The whole content of `snapshot`.
    ComputedGraph(SnapshotTransaction snapshot) {
        this.snapshot = snapshot;
        this.below = null;
        this.filter = new GraphFilter();
        this.values = new ComputedValues(Set.of(), new ComputerBudget(0));
        this.numbers = numbers(snapshot);
        this.known = null;
        this.running = false;
        this.hasEdges = true;
        this.holding = null;
    }

    /// The input of a program: the part of `below` that passes `filter`.
    ///
    /// @param values receives the program's results
    ComputedGraph(ComputedGraph below, GraphFilter filter, ComputedValues values) {
        this.snapshot = below.snapshot;
        this.below = below;
        this.filter = filter;
        this.values = values;
        this.running = true;
        this.hasEdges = below.hasEdges;
        this.holding = null;
        if (filter.hasVertexFilter()) {
            this.numbers =
                    LongStream.of(below.numbers)
                            .filter(each -> filter.legalVertex(below.vertex(each)))
                            .toArray();
            LongSet taken = new LongSet();
            LongStream.of(numbers).forEach(taken::add);
            this.known = taken;
        } else {
            this.numbers = below.numbers;
            this.known = below.known;
        }
    }

    /// The result of the program that has run over `ran`.
    private ComputedGraph(ComputedGraph ran, boolean withEdges) {
        this.snapshot = ran.snapshot;
        this.below = ran.below;
        this.filter = ran.filter;
        this.values = ran.values;
        this.numbers = ran.numbers;
        this.known = ran.known;
        this.running = false;
        this.hasEdges = withEdges && ran.hasEdges;
        this.holding = hold(this, snapshot);
    }

    private static Cleaner.Cleanable hold(ComputedGraph graph, SnapshotTransaction snapshot) {
        snapshot.hold();
        return CLEANER.register(graph, snapshot::release);
    }

    private static long[] numbers(SnapshotTransaction snapshot) {
        StoredGraph graph = snapshot.graph();
        LongList numbers = new LongList(new Budget("A graph computer", Budget.usualBytesMax()));
        Set<String> labels = snapshot.vertexLabels();
        VertexIterator vertices =
                new VertexIterator(
                        graph,
                        graph.catalog().vertexLabels().byName().values().stream()
                                .filter(label -> labels.contains(label.name()))
                                .toList());
        while (vertices.hasNext()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new TraversalInterruptedException();
            }
            numbers.add(((OrielVertex) vertices.next()).number());
        }
        return numbers.toArray();
    }

    /// The result of the program that has run over this graph, as a graph of its own.
    ComputedGraph answer(boolean withEdges) {
        return new ComputedGraph(this, withEdges);
    }

    /// The snapshot, held once more.
    SnapshotTransaction heldSnapshot() {
        snapshot.hold();
        return snapshot;
    }

    /// Number of vertices.
    int size() {
        return numbers.length;
    }

    /// The vertex at `at` of [#size()].
    ComputedVertex at(int at) {
        return vertex(numbers[at]);
    }

    ComputedValues values() {
        return values;
    }

    boolean isRunning() {
        return running;
    }

    private ComputedVertex vertex(long number) {
        Vertex lower =
                below == null
                        ? new OrielVertex(snapshot.graph(), number, null)
                        : below.vertex(number);
        return new ComputedVertex(this, number, lower);
    }

    /// The vertex of this graph that wraps `lower`, a vertex of the graph below.
    ComputedVertex over(Vertex lower) {
        return new ComputedVertex(this, numberOf(lower), lower);
    }

    /// The number of a vertex, by its id if necessary; 0 if the snapshot has none with that id.
    long numberOf(Vertex vertex) {
        return switch (vertex) {
            case OrielVertex stored -> stored.number();
            case ComputedVertex computed -> computed.number();
            default -> snapshot.graph().work().vertices().resolve(vertex.id());
        };
    }

    private boolean contains(long number) {
        return known == null || known.contains(number);
    }

    @Override
    public Iterator<Vertex> vertices(Object... ids) {
        if (ids.length == 0) {
            return LongStream.of(numbers).<Vertex>mapToObj(this::vertex).iterator();
        }
        Iterator<Vertex> found =
                below == null ? snapshot.graph().vertices(ids) : below.vertices(ids);
        return IteratorUtils.map(
                IteratorUtils.filter(found, lower -> contains(numberOf(lower))), this::over);
    }

    @Override
    public Iterator<Edge> edges(Object... ids) {
        if (!hasEdges) {
            return Collections.emptyIterator();
        }
        if (ids.length == 0) {
            return IteratorUtils.flatMap(vertices(), vertex -> vertex.edges(Direction.OUT));
        }
        Iterator<Edge> found = below == null ? snapshot.graph().edges(ids) : below.edges(ids);
        return shown(IteratorUtils.filter(found, this::isLegal));
    }

    private Iterator<Edge> shown(Iterator<Edge> lower) {
        return IteratorUtils.map(lower, edge -> new ComputedEdge(this, edge));
    }

    /// The edges of a vertex.
    Iterator<Edge> edges(ComputedVertex around, Direction direction, String... labels) {
        if (!hasEdges) {
            return Collections.emptyIterator();
        }
        if (running && filter.hasEdgeFilter()) {
            return shown(filtered(around, direction, labels));
        }
        String[] wanted = below == null ? ofSnapshot(labels) : labels;
        if (below == null && wanted.length == 0) {
            return Collections.emptyIterator();
        }
        Iterator<Edge> found = around.lower().edges(direction, wanted);
        boolean all = running || !filter.hasFilter();
        return shown(all ? found : IteratorUtils.filter(found, this::isLegal));
    }

    /// The `labels` that the snapshot has; all its labels if none is named.
    private String[] ofSnapshot(String... labels) {
        Set<String> there = snapshot.edgeLabels();
        return labels.length == 0
                ? there.toArray(String[]::new)
                : Arrays.stream(labels).filter(there::contains).toArray(String[]::new);
    }

    /// The edges that the filter takes from a vertex. A loop is present twice for both directions, and once for
    /// one.
    private Iterator<Edge> filtered(ComputedVertex around, Direction direction, String... labels) {
        Set<Object> loops = new HashSet<>();
        return IteratorUtils.filter(
                filter.clone().legalEdges(around.lower()),
                edge -> {
                    boolean out = numberOf(edge.outVertex()) == around.number();
                    boolean in = numberOf(edge.inVertex()) == around.number();
                    boolean along =
                            switch (direction) {
                                case OUT -> out;
                                case IN -> in;
                                case BOTH -> true;
                            };
                    return along
                            && (labels.length == 0 || Arrays.asList(labels).contains(edge.label()))
                            && (direction == Direction.BOTH
                                    || !(out && in)
                                    || loops.add(edge.id()));
                });
    }

    /// Whether `lower`, an edge of the graph below, belongs to this result.
    private boolean isLegal(Edge lower) {
        if (!contains(numberOf(lower.outVertex())) || !contains(numberOf(lower.inVertex()))) {
            return false;
        }
        return !filter.hasEdgeFilter()
                || IteratorUtils.anyMatch(
                        filter.clone().legalEdges(lower.outVertex()), lower::equals);
    }

    /// The stored properties of a vertex below.
    @SuppressWarnings("unchecked") // properties of vertices have no static type
    <V> Iterator<VertexProperty<V>> stored(ComputedVertex of, String... keys) {
        if (!filter.hasVertexPropertyFilter()) {
            return of.lower().properties(keys);
        }
        Iterator<VertexProperty<V>> legal =
                (Iterator<VertexProperty<V>>)
                        (Iterator<?>) filter.clone().legalVertexProperties(of.lower());
        return IteratorUtils.filter(
                legal, each -> keys.length == 0 || Arrays.asList(keys).contains(each.key()));
    }

    @Override
    public Vertex addVertex(Object... keyValues) {
        throw Graph.Exceptions.vertexAdditionsNotSupported();
    }

    @Override
    public <C extends GraphComputer> C compute(Class<C> type) {
        if (!type.equals(OrielGraphComputer.class)) {
            throw Graph.Exceptions.graphDoesNotSupportProvidedGraphComputer(type);
        }
        return type.cast(compute());
    }

    @Override
    public GraphComputer compute() {
        return new OrielGraphComputer(this);
    }

    @Override
    public Transaction tx() {
        throw Graph.Exceptions.transactionsNotSupported();
    }

    @Override
    public Variables variables() {
        throw Graph.Exceptions.variablesNotSupported();
    }

    @Override
    public Configuration configuration() {
        return new BaseConfiguration();
    }

    @Override
    public Features features() {
        return new ComputedFeatures();
    }

    @Override
    public void close() {
        if (holding != null) {
            holding.clean();
        }
    }

    @Override
    public String toString() {
        return StringFactory.graphString(this, "vertices:" + numbers.length);
    }
}
