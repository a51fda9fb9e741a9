package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.history.Anomaly;
import dev.oriel.testkit.history.Checker;
import dev.oriel.testkit.history.History;
import dev.oriel.testkit.history.Level;
import dev.oriel.testkit.history.Outcome;
import dev.oriel.testkit.history.Recorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random transactions of several threads on the properties of a few vertices, and on edges that replace each
/// other between the same vertices. Their reads must be allowed at READ COMMITTED, and no committed write may be
/// lost. `-Dhistory.transactions=` sets the number of transactions.
@Timeout(600)
class GraphHistoryTest {
    private static final int THREADS = 4;
    private static final int KEYS = 8;

    /// Number of writes after which keys change, so that lists stay short.
    private static final int WRITES_A_GENERATION = 200;

    /// First key of single values in each generation; lists are at the keys below.
    private static final int FIRST_SINGLE = KEYS / 2;

    /// First key of single values that are on edges to the first vertex of the generation.
    private static final int FIRST_EDGE = 6;

    private static final int TRANSACTIONS = Integer.getInteger("history.transactions", 6_000);

    private final OrielGraph graph = OrielGraph.inMemory();
    private final AtomicLong values = new AtomicLong();

    @Test
    void transactionsSeeWhatIsCommitted() throws Exception {
        SplittableRandom random = Seed.of("GraphHistoryTest", 7);
        graph.schema().propertyKey("value").asLong().create();
        graph.schema().edgeLabel("one").singleTime().properties("value").create();
        int keys = (3 * TRANSACTIONS / WRITES_A_GENERATION + 2) * KEYS;
        for (int i = 0; i < keys; i++) {
            graph.addVertex(T.id, (long) i, T.label, "key");
        }
        graph.tx().commit();
        List<Recorder> recorders = new ArrayList<>();
        List<Future<Integer>> clients = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Recorder recorder = new Recorder();
                recorders.add(recorder);
                clients.add(executor.submit(new Client(recorder, random.split())));
            }
        }
        int committed = 0;
        for (Future<Integer> client : clients) {
            committed += client.get();
        }
        assertTrue(committed > TRANSACTIONS / 10, "committed " + committed);
        History history = History.of(recorders);
        List<Anomaly> found = Checker.check(history, Level.READ_COMMITTED);
        System.out.printf(
                "graph: %d transactions, %d committed, %d operations, %d anomalies%n",
                history.transactionCount(), committed, history.operationCount(), found.size());
        assertEquals(List.of(), found);
        assertEquals(List.of(), graph.database().check());
        graph.close();
    }

    /// One thread's transactions.
    private final class Client implements Callable<Integer> {
        private final Recorder recorder;
        private final SplittableRandom random;
        private long[] elements = new long[64];

        Client(Recorder recorder, SplittableRandom random) {
            this.recorder = recorder;
            this.random = random;
        }

        @Override
        public Integer call() {
            int committed = 0;
            for (int i = 0; i < TRANSACTIONS / THREADS; i++) {
                recorder.begin(System.nanoTime());
                Outcome outcome = Outcome.ABORTED;
                try {
                    int operations = 1 + random.nextInt(4);
                    for (int n = 0; n < operations; n++) {
                        operation();
                    }
                    if (random.nextInt(20) > 0) {
                        graph.tx().commit();
                        outcome = Outcome.COMMITTED;
                        committed++;
                    } else {
                        graph.tx().rollback();
                    }
                } catch (ConflictException e) {
                    assertTrue(e.mayPass(), e::toString);
                    graph.tx().rollback();
                }
                recorder.end(outcome, System.nanoTime());
            }
            return committed;
        }

        private void operation() {
            long key = values.get() / WRITES_A_GENERATION * KEYS + random.nextInt(KEYS);
            Vertex vertex = graph.vertices(key).next();
            boolean write = random.nextBoolean();
            if (key % KEYS < FIRST_SINGLE) {
                if (write) {
                    long element = values.incrementAndGet();
                    vertex.property(Cardinality.list, "list", element);
                    recorder.append(key, element);
                }
                readList(key, vertex);
            } else if (key % KEYS >= FIRST_EDGE) {
                Vertex first = graph.vertices(key - key % KEYS).next();
                if (write) {
                    long value = values.incrementAndGet();
                    vertex.addEdge("one", first, "value", value);
                    recorder.write(key, value);
                }
                recorder.read(key, random.nextBoolean() ? forth(vertex) : back(first, key));
            } else {
                if (write) {
                    long value = values.incrementAndGet();
                    vertex.property(Cardinality.single, "single", value);
                    recorder.write(key, value);
                }
                Iterator<Long> single = vertex.values("single");
                recorder.read(key, single.hasNext() ? single.next() : History.NOTHING);
            }
        }

        /// The value of the edge, seen from its source.
        private static long forth(Vertex source) {
            Iterator<Edge> edges = source.edges(Direction.OUT, "one");
            return edges.hasNext() ? edges.next().value("value") : History.NOTHING;
        }

        /// The value of the edge from `source`, seen from its target.
        private static long back(Vertex target, long source) {
            Iterator<Edge> edges = target.edges(Direction.IN, "one");
            while (edges.hasNext()) {
                Edge edge = edges.next();
                if (edge.outVertex().id().equals(source)) {
                    return edge.value("value");
                }
            }
            return History.NOTHING;
        }

        private void readList(long key, Vertex vertex) {
            int length = 0;
            Iterator<VertexProperty<Long>> list = vertex.properties("list");
            while (list.hasNext()) {
                if (length == elements.length) {
                    elements = Arrays.copyOf(elements, 2 * length);
                }
                elements[length++] = list.next().value();
            }
            recorder.readList(key, elements, length);
        }
    }
}
