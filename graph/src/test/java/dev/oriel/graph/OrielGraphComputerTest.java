package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.computer.OrielGraphComputer;
import dev.oriel.store.ConflictException;
import dev.oriel.store.LimitException;
import dev.oriel.testkit.Seed;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer.Persist;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer.ResultGraph;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.MessageScope;
import org.apache.tinkerpop.gremlin.process.computer.Messenger;
import org.apache.tinkerpop.gremlin.process.computer.VertexComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.clustering.connected.ConnectedComponentVertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.clustering.peerpressure.PeerPressureVertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.ranking.pagerank.PageRankVertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.util.StaticVertexProgram;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Snapshots, results and ends of a graph computer. Computed values are compared with TinkerGraph's computer;
/// TinkerPop's own suites test the rest.
@Timeout(120)
class OrielGraphComputerTest {
    @TempDir Path folder;

    /// A program of some rounds that counts the edges of each vertex in each of them.
    static final class Counting extends StaticVertexProgram<Long> {
        private final int rounds;
        private final Consumer<Integer> afterRound;
        private final ObjIntConsumer<Vertex> atVertex;

        Counting(int rounds, Consumer<Integer> afterRound) {
            this(rounds, afterRound, (vertex, round) -> {});
        }

        Counting(int rounds, Consumer<Integer> afterRound, ObjIntConsumer<Vertex> atVertex) {
            this.rounds = rounds;
            this.afterRound = afterRound;
            this.atVertex = atVertex;
        }

        @Override
        public void setup(Memory memory) {}

        @Override
        public void execute(Vertex vertex, Messenger<Long> messenger, Memory memory) {
            atVertex.accept(vertex, memory.getIteration());
            long edges = IteratorUtils.count(vertex.edges(Direction.BOTH));
            vertex.property(Cardinality.list, "edges", edges);
        }

        @Override
        public boolean terminate(Memory memory) {
            afterRound.accept(memory.getIteration());
            return memory.getIteration() == rounds - 1;
        }

        @Override
        public Set<VertexComputeKey> getVertexComputeKeys() {
            return Set.of(VertexComputeKey.of("edges", false));
        }

        @Override
        public Set<MessageScope> getMessageScopes(Memory memory) {
            return Set.of();
        }

        @Override
        public ResultGraph getPreferredResultGraph() {
            return ResultGraph.NEW;
        }

        @Override
        public Persist getPreferredPersist() {
            return Persist.EDGES;
        }
    }

    /// A ring of `size` vertices, each with a number and an edge to the next.
    private static void ring(OrielGraph graph, int size) {
        Vertex[] all = new Vertex[size];
        for (int i = 0; i < size; i++) {
            all[i] = graph.addVertex(T.label, "place", "number", i);
        }
        for (int i = 0; i < size; i++) {
            all[i].addEdge("next", all[(i + 1) % size]);
        }
        graph.tx().commit();
    }

    private static void unchecked(ThrowingRunnable run) {
        try {
            run.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    /// Runs an action in another thread, and waits for it.
    private static void elsewhere(Runnable run) {
        Thread thread = new Thread(run);
        thread.start();
        unchecked(thread::join);
    }

    /// The thread of a program ends shortly after its future.
    private static void assertNoReaders(OrielGraph graph) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (graph.database().stats().openReaders() > 0 && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertEquals(0, graph.database().stats().openReaders());
    }

    @Test
    void aProgramSeesOneSnapshotWhileOthersWrite() throws Exception {
        try (OrielGraph graph = OrielGraph.open(folder)) {
            ring(graph, 300);
            Counting program =
                    new Counting(
                            3,
                            round ->
                                    elsewhere(() -> {
                                        Vertex some = graph.vertices().next();
                                        Vertex added = graph.addVertex(T.label, "late");
                                        some.addEdge("late" + round, added);
                                        some.edges(Direction.OUT, "next")
                                                .forEachRemaining(edge -> edge.remove());
                                        graph.tx().commit();
                                    }));
            ComputerResult result = graph.compute().program(program).submit().get();
            GraphTraversalSource g = result.graph().traversal();
            assertEquals(300, g.V().count().next());
            assertEquals(300, g.E().count().next());
            assertEquals(900, g.V().values("edges").is(2L).count().next());
            result.close();
            assertEquals(303, graph.traversal().V().count().next());
            assertEquals(302, graph.traversal().E().count().next());
            graph.tx().rollback();
            assertNoReaders(graph);
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void anAnswerHoldsItsSnapshotUntilItIsClosed() throws Exception {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 20);
            ComputerResult first =
                    graph.compute().program(new Counting(1, round -> {})).submit().get();
            assertEquals(1, graph.database().stats().openReaders());
            graph.traversal().V().drop().iterate();
            graph.tx().commit();
            ComputerResult second =
                    first.graph().compute().program(new Counting(2, round -> {})).submit().get();
            first.close();
            assertEquals(40, second.graph().traversal().V().values("edges").count().next());
            assertEquals(20, second.graph().traversal().E().count().next());
            Vertex some = second.graph().vertices().next();
            assertThrows(IllegalStateException.class, () -> some.property("edges", 1L));
            assertThrows(IllegalStateException.class, some::remove);
            second.close();
            second.close();
            assertNoReaders(graph);
            IllegalStateException e =
                    assertThrows(IllegalStateException.class, () -> some.value("number"));
            assertTrue(e.toString().contains("was closed; compute it again"), e::toString);
        }
    }

    @Test
    void anAnswerThatNobodyKnowsLetsGoOfItsSnapshot() throws Exception {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 20);
            graph.compute().program(new Counting(1, round -> {})).submit().get();
            for (int i = 0; i < 1_000 && graph.database().stats().openReaders() > 0; i++) {
                System.gc();
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertNoReaders(graph);
        }
    }

    @Test
    void cancellingEndsTheProgramAndItsThreads() throws Exception {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 500);
            CountDownLatch begun = new CountDownLatch(1);
            Counting endless = new Counting(Integer.MAX_VALUE, round -> begun.countDown());
            Future<ComputerResult> running = graph.compute().program(endless).submit();
            begun.await();
            assertTrue(running.cancel(true));
            assertNoReaders(graph);
        }
    }

    @Test
    void anErrorOfAProgramIsWhatItsFutureThrows() throws Exception {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 500);
            Counting failing =
                    new Counting(
                            2,
                            round -> {},
                            (vertex, round) -> {
                                if (round == 1) {
                                    throw new IllegalArgumentException("not here");
                                }
                            });
            Future<ComputerResult> running = graph.compute().program(failing).submit();
            ExecutionException e = assertThrows(ExecutionException.class, running::get);
            assertInstanceOf(IllegalArgumentException.class, e.getCause());
            assertTrue(e.toString().contains("not here"), e::toString);
        }
    }

    @Test
    void whatIsToBeKeptIsWrittenInOneTransaction() throws Exception {
        try (OrielGraph graph = OrielGraph.open(folder)) {
            ring(graph, 100);
            graph.traversal().V().has("number", 7).property("edges", "before").iterate();
            graph.tx().commit();
            graph.vertices().next(); // a transaction that has only read
            ComputerResult result =
                    graph.compute()
                            .program(new Counting(2, round -> {}))
                            .result(ResultGraph.ORIGINAL)
                            .persist(Persist.VERTEX_PROPERTIES)
                            .submit()
                            .get();
            assertSame(graph, result.graph());
            assertEquals(200, graph.traversal().V().values("edges").is(2L).count().next());
            assertEquals(200, graph.traversal().V().values("edges").count().next());
            graph.tx().rollback();
            assertEquals(List.of(), graph.database().check());
        }
    }

    @Test
    void whatNoTableKeepsIsNotWrittenInPart() throws Exception {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 50);
            Counting odd =
                    new Counting(
                            1,
                            round -> {},
                            (vertex, round) -> {
                                if (vertex.<Integer>value("number") == 40) {
                                    vertex.property(Cardinality.list, "edges", new Object());
                                }
                            });
            Future<ComputerResult> running =
                    graph.compute()
                            .program(odd)
                            .result(ResultGraph.ORIGINAL)
                            .persist(Persist.EDGES)
                            .submit();
            ExecutionException e = assertThrows(ExecutionException.class, running::get);
            assertInstanceOf(IllegalArgumentException.class, e.getCause());
            assertEquals(0, graph.traversal().V().values("edges").count().next());
        }
    }

    @Test
    void changesThatAreNotCommittedAreNotComputed() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 5);
            graph.addVertex("place");
            GraphComputer computer = graph.compute().program(new Counting(1, round -> {}));
            IllegalStateException e = assertThrows(IllegalStateException.class, computer::submit);
            assertTrue(e.toString().contains("commit it or roll it back first"), e::toString);
        }
    }

    @Test
    void aLabelThatIsChangedMeanwhileEndsTheProgram() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            graph.schema().propertyKey("number").asInt().create();
            ring(graph, 100);
            Counting program =
                    new Counting(
                            2,
                            round ->
                                    elsewhere(() ->
                                            graph.schema()
                                                    .indexLabel("byNumber")
                                                    .onV("place")
                                                    .by("number")
                                                    .create()),
                            (vertex, round) -> vertex.value("number"));
            Future<ComputerResult> running = graph.compute().program(program).submit();
            ExecutionException e = assertThrows(ExecutionException.class, running::get);
            ConflictException conflict = assertInstanceOf(ConflictException.class, e.getCause());
            assertTrue(conflict.toString().contains("run it again"), conflict::toString);
        }
    }

    @Test
    void whatIsComputedKeepsToABoundOfMemory() {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 1_000);
            Future<ComputerResult> running =
                    graph.compute()
                            .program(new Counting(Integer.MAX_VALUE, round -> {}))
                            .configure(OrielGraphComputer.MEMORY_BYTES_MAX, 1_000_000)
                            .submit();
            ExecutionException e = assertThrows(ExecutionException.class, running::get);
            assertInstanceOf(LimitException.class, e.getCause());
            IllegalArgumentException unknown =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> graph.compute().configure("memory", 1));
            assertTrue(unknown.toString().contains("not memory=1"), unknown::toString);
        }
    }

    @Test
    void nothingKeptIsAnEmptyGraph() throws Exception {
        try (OrielGraph graph = OrielGraph.inMemory()) {
            ring(graph, 5);
            ComputerResult result =
                    graph.compute()
                            .program(new Counting(1, round -> {}))
                            .persist(Persist.NOTHING)
                            .submit()
                            .get();
            assertSame(EmptyGraph.instance(), result.graph());
            assertFalse(graph.vertices().next().property("edges").isPresent());
        }
    }

    @Test
    void programsComputeWhatTheyComputeOverTinkerGraph() throws Exception {
        SplittableRandom random = Seed.of("OrielGraphComputerTest", 5);
        for (int i = 0; i < 6; i++) {
            TinkerGraph theirs = randomGraph(random);
            try (OrielGraph ours = OrielGraph.inMemory()) {
                GraphCopy.copy(theirs, ours);
                ours.tx().commit();
                assertEquals(ranks(theirs, i), ranks(ours, i));
                assertEquals(components(theirs, i), components(ours, i));
                assertEquals(clusters(theirs), clusters(ours));
                for (String question : QUESTIONS.keySet()) {
                    assertEquals(ask(question, theirs), ask(question, ours), question);
                }
            }
        }
    }

    private static TinkerGraph randomGraph(SplittableRandom random) {
        TinkerGraph graph = TinkerGraph.open();
        int size = 5 + random.nextInt(60);
        Vertex[] all = new Vertex[size];
        for (int i = 0; i < size; i++) {
            String label = random.nextBoolean() ? "person" : "place";
            all[i] = graph.addVertex(T.id, (long) i, T.label, label, "age", random.nextInt(9));
        }
        for (int i = 0; i < 2 * size; i++) {
            all[random.nextInt(size)].addEdge(
                    random.nextBoolean() ? "knows" : "near",
                    all[random.nextInt(size)],
                    T.id,
                    (long) size + i,
                    "weight",
                    random.nextInt(5));
        }
        return graph;
    }

    /// The computer, over all or over a part of the graph.
    private static GraphComputer computer(Graph graph, int part) {
        GraphComputer computer = graph.compute();
        return switch (part % 3) {
            case 1 -> computer.vertices(__.hasLabel("person"));
            case 2 -> computer.edges(__.bothE("knows"));
            default -> computer;
        };
    }

    private static Map<Long, Object> values(ComputerResult result, String key) {
        Map<Long, Object> values = new TreeMap<>();
        result.graph()
                .vertices()
                .forEachRemaining(vertex -> values.put((Long) vertex.id(), vertex.value(key)));
        unchecked(result::close);
        return values;
    }

    private static Map<Long, String> ranks(Graph graph, int part) throws Exception {
        Map<Long, String> rounded = new TreeMap<>();
        ComputerResult result =
                computer(graph, part)
                        .program(PageRankVertexProgram.build().iterations(10).create(graph))
                        .submit()
                        .get();
        values(result, PageRankVertexProgram.PAGE_RANK)
                .forEach((id, rank) -> rounded.put(id, "%.9f".formatted((Double) rank)));
        return rounded;
    }

    private static Map<Long, Object> components(Graph graph, int part) throws Exception {
        return values(
                computer(graph, part)
                        .program(ConnectedComponentVertexProgram.build().create(graph))
                        .result(ResultGraph.NEW)
                        .persist(Persist.VERTEX_PROPERTIES)
                        .submit()
                        .get(),
                ConnectedComponentVertexProgram.COMPONENT);
    }

    private static Map<Long, Object> clusters(Graph graph) throws Exception {
        return values(
                graph.compute()
                        .program(PeerPressureVertexProgram.build().maxIterations(5).create(graph))
                        .submit()
                        .get(),
                PeerPressureVertexProgram.CLUSTER);
    }

    private interface Question {
        Object of(GraphTraversalSource g);
    }

    private static final Map<String, Question> QUESTIONS =
            Map.of(
                    "hops", g -> g.V().out().in().out().count().next(),
                    "groups", g -> g.V().hasLabel("person").groupCount().by("age").next(),
                    "weights", g -> g.V().outE("knows").values("weight").sum().next(),
                    "repeats", g -> g.V().repeat(__.out("near")).times(3).count().next(),
                    "ages", g -> g.V().both().dedup().order().by("age").values("age").toList(),
                    "ranked",
                            g ->
                                    g.V()
                                            .pageRank()
                                            .with("~tinkerpop.pageRank.propertyName", "rank")
                                            .has("rank")
                                            .out()
                                            .count()
                                            .next(),
                    "components",
                            g ->
                                    g.V()
                                            .connectedComponent()
                                            .groupCount()
                                            .by("gremlin.connectedComponentVertexProgram.component")
                                            .next());

    private static Object ask(String question, Graph graph) {
        return Objects.requireNonNull(QUESTIONS.get(question)).of(graph.traversal().withComputer());
    }
}
