package dev.oriel.graph.computer;

import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.transaction.SnapshotTransaction;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.GraphFilter;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.VertexComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.util.ComputerGraph;
import org.apache.tinkerpop.gremlin.process.computer.util.DefaultComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.util.GraphComputerHelper;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.jspecify.annotations.Nullable;

/// Runs vertex programs and map-reduces over a graph, for example PageRank or traversals with `withComputer()`. It
/// reads a snapshot of the committed state at submission, concurrently with writers. Several threads run the
/// program over the vertices, round by round, and read edges and properties from the tables on demand. Memory
/// holds the number of each vertex, the computed values, and the messages of two rounds.
///
/// `result` and `persist` choose the place of the computed values. They are dropped, shown beside the stored graph
/// by a graph of their own, or written to the vertices in a transaction of its own. Cancelling the future ends the
/// program with an interrupt.
public final class OrielGraphComputer implements GraphComputer {
    /// Setting for [#configure]: memory limit of values and messages in bytes, each counted as a small object; by
    /// default half of the heap.
    public static final String MEMORY_BYTES_MAX = "memoryBytesMax";

    /// Graph to compute over; null if that is the result of another computer.
    private final @Nullable StoredGraph stored;

    private final @Nullable ComputedGraph computed;
    private final Supplier<SnapshotTransaction> snapshots;
    private final GraphFilter filter = new GraphFilter();
    private final Set<MapReduce<?, ?, ?, ?, ?>> mapReduces = new HashSet<>();
    private @Nullable VertexProgram<?> program;
    private @Nullable ResultGraph result;
    private @Nullable Persist persist;
    private int workers = Runtime.getRuntime().availableProcessors();
    private long memoryBytesMax = Budget.usualBytesMax();
    private boolean submitted;

    /// A computer over `graph`.
    ///
    /// @param snapshots makes a snapshot of the committed state
    public OrielGraphComputer(StoredGraph graph, Supplier<SnapshotTransaction> snapshots) {
        this.stored = graph;
        this.computed = null;
        this.snapshots = snapshots;
    }

    public OrielGraphComputer(ComputedGraph graph) {
        this.stored = null;
        this.computed = graph;
        this.snapshots = graph::heldSnapshot;
    }

    @Override
    public GraphComputer result(ResultGraph wanted) {
        result = wanted;
        return this;
    }

    @Override
    public GraphComputer persist(Persist wanted) {
        persist = wanted;
        return this;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public GraphComputer program(VertexProgram wanted) {
        program = wanted;
        return this;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public GraphComputer mapReduce(MapReduce wanted) {
        mapReduces.add(wanted);
        return this;
    }

    @Override
    public GraphComputer workers(int count) {
        workers = count;
        return this;
    }

    /// Sets [#MEMORY_BYTES_MAX], the only setting.
    ///
    /// @throws IllegalArgumentException if `key` is not [#MEMORY_BYTES_MAX], or `value` is no number
    @Override
    public GraphComputer configure(String key, Object value) {
        if (!key.equals(MEMORY_BYTES_MAX) || !(value instanceof Number bytes)) {
            throw new IllegalArgumentException(
                    "A graph computer takes the number %s, not %s=%s"
                            .formatted(MEMORY_BYTES_MAX, key, value));
        }
        memoryBytesMax = bytes.longValue();
        return this;
    }

    @Override
    public GraphComputer vertices(Traversal<Vertex, Vertex> wanted) {
        filter.setVertexFilter(wanted);
        return this;
    }

    @Override
    public GraphComputer edges(Traversal<Vertex, Edge> wanted) {
        filter.setEdgeFilter(wanted);
        return this;
    }

    @Override
    public GraphComputer vertexProperties(Traversal<Vertex, ? extends Property<?>> wanted) {
        filter.setVertexPropertyFilter(wanted);
        return this;
    }

    @Override
    public Future<ComputerResult> submit() {
        if (submitted) {
            throw GraphComputer.Exceptions.computerHasAlreadyBeenSubmittedAVertexProgram();
        }
        submitted = true;
        VertexProgram<?> toRun = program;
        if (toRun == null && mapReduces.isEmpty()) {
            throw GraphComputer.Exceptions.computerHasNoVertexProgramNorMapReducers();
        }
        if (toRun != null) {
            GraphComputerHelper.validateProgramOnComputer(this, toRun);
            toRun.getMapReducers().forEach(this::mapReduce);
        }
        ResultGraph into =
                GraphComputerHelper.getResultGraphState(
                        Optional.ofNullable(toRun), Optional.ofNullable(result));
        Persist keep =
                GraphComputerHelper.getPersistState(
                        Optional.ofNullable(toRun), Optional.ofNullable(persist));
        if (!features().supportsResultGraphPersistCombination(into, keep)) {
            throw GraphComputer.Exceptions.resultGraphPersistCombinationNotSupported(into, keep);
        }
        if (workers > features().getMaxWorkers()) {
            throw GraphComputer.Exceptions.computerRequiresMoreWorkersThanSupported(
                    workers, features().getMaxWorkers());
        }
        SnapshotTransaction snapshot =
                begin(into == ResultGraph.ORIGINAL && keep != Persist.NOTHING);
        FutureTask<ComputerResult> task = new FutureTask<>(() -> run(snapshot, into, keep));
        Thread.ofPlatform()
                .daemon()
                .name("oriel-computer")
                .start(() -> {
                    try {
                        task.run();
                    } finally {
                        snapshot.release();
                    }
                });
        return task;
    }

    /// Takes the snapshot to read. An unchanged transaction of this thread is ended if the computer writes to the
    /// graph, so that the thread then sees the result.
    private SnapshotTransaction begin(boolean writes) {
        StoredGraph of = stored;
        if (of != null && of.tx().isOpen()) {
            if (of.work().isWriting()) {
                throw new IllegalStateException(
                        "A graph computer sees what is committed, and this transaction has changed"
                                + " something; commit it or roll it back first");
            }
            if (writes) {
                of.tx().rollback();
            }
        }
        return snapshots.get();
    }

    private ComputerResult run(SnapshotTransaction snapshot, ResultGraph into, Persist keep) {
        long begun = System.nanoTime();
        ComputerMemory memory = new ComputerMemory(program, mapReduces);
        VertexProgram<?> toRun = program;
        Set<VertexComputeKey> keys = toRun == null ? Set.of() : toRun.getVertexComputeKeys();
        Set<String> names =
                keys.stream().map(VertexComputeKey::getKey).collect(Collectors.toUnmodifiableSet());
        ComputedGraph below = computed != null ? computed : new ComputedGraph(snapshot);
        ComputerBudget budget = new ComputerBudget(memoryBytesMax);
        ComputedGraph graph = new ComputedGraph(below, filter, new ComputedValues(names, budget));
        try (ComputerWorkers threads = new ComputerWorkers(workers, snapshot, budget)) {
            if (toRun != null) {
                run(toRun, graph, memory, threads, budget);
            }
            graph.values().complete(keys);
            for (MapReduce<?, ?, ?, ?, ?> each : mapReduces) {
                new MapReduceRun<>(each, threads).run(graph, memory);
            }
        }
        memory.setRuntime(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        memory.complete();
        Graph answer = answer(graph, into, keep);
        return new Answer(answer, into == ResultGraph.NEW, memory.asImmutable());
    }

    private Graph answer(ComputedGraph graph, ResultGraph into, Persist keep) {
        if (into == ResultGraph.NEW) {
            return keep == Persist.NOTHING
                    ? EmptyGraph.instance()
                    : graph.answer(keep == Persist.EDGES);
        }
        if (stored == null) {
            return Objects.requireNonNull(computed);
        }
        if (keep != Persist.NOTHING) {
            ComputedWrites.write(graph.values(), stored);
        }
        return stored;
    }

    /// Closing it releases the snapshot; an existing graph stays open.
    private static final class Answer extends DefaultComputerResult {
        private final boolean isNew;

        Answer(Graph graph, boolean isNew, Memory memory) {
            super(graph, memory);
            this.isNew = isNew;
        }

        @Override
        public void close() {
            if (isNew && graph instanceof ComputedGraph computed) {
                computed.close();
            }
        }
    }

    /// Runs round by round until the program terminates.
    private static <M> void run(
            VertexProgram<M> program,
            ComputedGraph graph,
            ComputerMemory memory,
            ComputerWorkers threads,
            ComputerBudget budget) {
        Mailboxes<M> mailboxes =
                new Mailboxes<>(graph, program.getMessageCombiner().orElse(null), budget);
        program.setup(memory);
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw new TraversalInterruptedException();
            }
            memory.turn();
            threads.run(graph.size(), () -> new Round<>(program.clone(), graph, mailboxes, memory));
            mailboxes.turn();
            memory.turn();
            boolean enough = program.terminate(memory);
            memory.incrIteration();
            if (enough) {
                return;
            }
        }
    }

    /// The work of one thread in a round.
    private record Round<M>(
            VertexProgram<M> program,
            ComputedGraph graph,
            Mailboxes<M> mailboxes,
            ComputerMemory memory)
            implements ComputerWorkers.Stint {
        @Override
        public void begin() {
            program.workerIterationStart(memory.asImmutable());
        }

        @Override
        public void see(int at) {
            ComputedVertex vertex = graph.at(at);
            program.execute(
                    ComputerGraph.vertexProgram(vertex, program), mailboxes.of(vertex), memory);
        }

        @Override
        public void end() {
            program.workerIterationEnd(memory.asImmutable());
        }
    }

    @Override
    public Features features() {
        return new OfComputer(stored != null);
    }

    @Override
    public String toString() {
        return StringFactory.graphComputerString(this);
    }

    /// Features of the computer: programs compute properties of vertices, and change nothing else.
    ///
    /// @param stored whether the graph can be written
    private record OfComputer(boolean stored) implements Features {
        @Override
        public boolean supportsResultGraphPersistCombination(ResultGraph into, Persist keep) {
            return stored || into == ResultGraph.NEW || keep == Persist.NOTHING;
        }

        @Override
        public int getMaxWorkers() {
            return Runtime.getRuntime().availableProcessors();
        }

        @Override
        public boolean supportsVertexAddition() {
            return false;
        }

        @Override
        public boolean supportsVertexRemoval() {
            return false;
        }

        @Override
        public boolean supportsVertexPropertyRemoval() {
            return false;
        }

        @Override
        public boolean supportsEdgeAddition() {
            return false;
        }

        @Override
        public boolean supportsEdgeRemoval() {
            return false;
        }

        @Override
        public boolean supportsEdgePropertyAddition() {
            return false;
        }

        @Override
        public boolean supportsEdgePropertyRemoval() {
            return false;
        }
    }
}
