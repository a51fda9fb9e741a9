package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several threads add and remove vertices and edges. With each edge they change an entry in the books of both of
/// its ends, with each vertex one in the book of a permanent vertex. In each snapshot the books, the edges in both
/// directions and all counts must agree, and no edge may lack an end. `-Dsnapshot.transactions=` sets the number
/// of transactions.
@Timeout(600)
class EdgeSnapshotTest {
    private static final int WRITERS = 3;
    private static final int READERS = 2;
    private static final int LOOKS_MIN = 6;
    private static final int TRANSACTIONS = Integer.getInteger("snapshot.transactions", 3_000);
    private static final long CENSUS = 1_000;
    private static final int VERTICES = 10;
    private static final String[] LABELS = {"a", "b"};

    private final OrielGraph graph = OrielGraph.inMemory();
    private final AtomicLong tags = new AtomicLong();
    private final AtomicBoolean written = new AtomicBoolean();

    @Test
    void readersSeeBothEndsOfEachEdgeAndAllCountsOfOneMoment() throws Exception {
        SplittableRandom random = Seed.of("EdgeSnapshotTest", 11);
        graph.addVertex(T.id, CENSUS, T.label, "census");
        Vertex place = graph.addVertex("place"); // a reader that meets a newer label moves to it
        for (String label : LABELS) {
            place.addEdge(label, place);
        }
        place.remove();
        graph.tx().commit();
        int committed = 0;
        int looks = 0;
        try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS + READERS)) {
            List<Future<Integer>> writers = new ArrayList<>();
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                SplittableRandom own = random.split();
                writers.add(executor.submit(() -> write(own)));
            }
            for (int i = 0; i < READERS; i++) {
                readers.add(executor.submit(this::read));
            }
            try {
                for (Future<Integer> each : writers) {
                    committed += each.get();
                }
            } finally {
                written.set(true);
            }
            for (Future<Integer> each : readers) {
                looks += each.get();
            }
        }
        look();
        System.out.printf("edges: %d transactions committed, %d looks%n", committed, looks);
        assertTrue(committed > TRANSACTIONS / 10, "committed " + committed);
        assertTrue(looks >= READERS * LOOKS_MIN, "looks " + looks);
        assertEquals(List.of(), graph.database().check());
        graph.close();
    }

    private int write(SplittableRandom random) {
        int committed = 0;
        for (int i = 0; i < TRANSACTIONS / WRITERS; i++) {
            try {
                int changes = 1 + random.nextInt(3);
                for (int n = 0; n < changes; n++) {
                    change(random);
                }
                graph.tx().commit();
                committed++;
            } catch (ConflictException e) {
                assertTrue(e.mayPass(), e::toString);
                graph.tx().rollback();
            } catch (Gone e) {
                graph.tx().rollback();
            }
        }
        return committed;
    }

    /// A vertex was removed before it was locked.
    private static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Gone(Throwable cause) {
            super(cause);
        }
    }

    private void change(SplittableRandom random) {
        long one = random.nextInt(VERTICES);
        long other = random.nextInt(VERTICES);
        int kind = random.nextInt(10);
        if (kind < 2) {
            addVertex(one);
        } else if (kind == 2) {
            removeVertex(one);
        } else if (kind < 8) {
            addEdge(one, other, LABELS[random.nextInt(LABELS.length)]);
        } else {
            removeEdge(one, random);
        }
    }

    /// The vertex, locked against changes by other transactions; null if there is none. Later reads of it are the
    /// newest.
    private @Nullable Vertex locked(long id) {
        Iterator<Vertex> found = graph.vertices(id);
        if (!found.hasNext()) {
            return null;
        }
        try {
            found.next().property(Cardinality.single, "lock", tags.incrementAndGet());
        } catch (IllegalStateException e) {
            throw new Gone(e);
        }
        return graph.vertices(id).next();
    }

    private Vertex there(long id) {
        return Objects.requireNonNull(locked(id));
    }

    private void addVertex(long id) {
        Vertex census = there(CENSUS);
        if (!graph.vertices(id).hasNext()) {
            graph.addVertex(T.id, id, T.label, "place");
            census.property(Cardinality.list, "book", id);
        }
    }

    private void removeVertex(long id) {
        Vertex census = there(CENSUS);
        Vertex vertex = locked(id);
        if (vertex == null) {
            return;
        }
        List<Edge> edges = new ArrayList<>();
        vertex.edges(Direction.BOTH).forEachRemaining(edges::add);
        for (Edge edge : edges) {
            long tag = edge.value("tag");
            strike(there((Long) edge.outVertex().id()), "outs", tag);
            strike(there((Long) edge.inVertex().id()), "ins", tag);
        }
        graph.vertices(id).next().remove();
        strike(census, "book", id);
    }

    private void addEdge(long from, long to, String label) {
        Vertex source = locked(from);
        Vertex target = locked(to);
        if (source != null && target != null) {
            long tag = tags.incrementAndGet();
            source.property(Cardinality.list, "outs", tag);
            target.property(Cardinality.list, "ins", tag);
            source.addEdge(label, target, "tag", tag);
        }
    }

    private void removeEdge(long from, SplittableRandom random) {
        Vertex source = locked(from);
        if (source == null) {
            return;
        }
        List<Edge> edges = new ArrayList<>();
        source.edges(Direction.OUT).forEachRemaining(edges::add);
        if (!edges.isEmpty()) {
            Edge edge = edges.get(random.nextInt(edges.size()));
            long tag = edge.value("tag");
            strike(source, "outs", tag);
            strike(there((Long) edge.inVertex().id()), "ins", tag);
            edge.remove();
        }
    }

    private static void strike(Vertex vertex, String book, long entry) {
        Iterator<VertexProperty<Long>> entries = vertex.properties(book);
        while (entries.hasNext()) {
            VertexProperty<Long> each = entries.next();
            if (each.value() == entry) {
                each.remove();
                return;
            }
        }
    }

    private int read() {
        int looks = 0;
        while (!written.get() || looks < LOOKS_MIN) {
            look();
            looks++;
        }
        return looks;
    }

    /// Checks everything in one read-only transaction.
    private void look() {
        GraphTraversalSource g = graph.traversal();
        Map<Long, Set<Long>> outBooks = new HashMap<>();
        Map<Long, Set<Long>> inBooks = new HashMap<>();
        Set<Long> census = new TreeSet<>();
        graph.vertices()
                .forEachRemaining(vertex -> {
                    long id = (Long) vertex.id();
                    if (id == CENSUS) {
                        census.addAll(book(vertex, "book"));
                    } else {
                        outBooks.put(id, book(vertex, "outs"));
                        inBooks.put(id, book(vertex, "ins"));
                    }
                });
        assertEquals(census, new TreeSet<>(outBooks.keySet()));
        assertEquals(census.size() + 1, g.V().count().next());
        assertEquals(census.size(), g.V().hasLabel("place").count().next());
        Map<Long, Set<Long>> outs = new HashMap<>();
        Map<Long, Set<Long>> ins = new HashMap<>();
        census.forEach(id -> outs.put(id, new TreeSet<>()));
        census.forEach(id -> ins.put(id, new TreeSet<>()));
        Set<Long> edges = new HashSet<>();
        graph.edges()
                .forEachRemaining(edge -> {
                    long tag = edge.value("tag");
                    assertTrue(edges.add(tag), () -> "twice: " + edge);
                    Set<Long> source = outs.get((Long) edge.outVertex().id());
                    Set<Long> target = ins.get((Long) edge.inVertex().id());
                    assertTrue(source != null && target != null, () -> "dangling: " + edge);
                    source.add(tag);
                    target.add(tag);
                });
        assertEquals(outBooks, outs);
        assertEquals(inBooks, ins);
        assertEquals(edges.size(), g.E().count().next());
        for (long id : census) {
            Set<Long> out = tags(id, Direction.OUT);
            Set<Long> in = tags(id, Direction.IN);
            assertEquals(outs.get(id), out);
            assertEquals(ins.get(id), in);
            assertEquals(out.size(), g.V(id).outE().count().next());
            assertEquals(in.size(), g.V(id).in().count().next());
        }
        graph.tx().rollback();
    }

    private static Set<Long> book(Vertex vertex, String name) {
        Set<Long> entries = new TreeSet<>();
        Iterator<VertexProperty<Long>> properties = vertex.properties(name);
        properties.forEachRemaining(each -> assertTrue(entries.add(each.value())));
        return entries;
    }

    private Set<Long> tags(long id, Direction direction) {
        Set<Long> found = new TreeSet<>();
        graph.vertices(id)
                .next()
                .edges(direction)
                .forEachRemaining(edge -> found.add(edge.value("tag")));
        return found;
    }
}
