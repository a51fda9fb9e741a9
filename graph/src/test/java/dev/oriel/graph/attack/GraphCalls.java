package dev.oriel.graph.attack;

import dev.oriel.graph.OrielGraph;
import dev.oriel.testkit.Gen;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// Calls of a graph by one thread, in its own transactions and in shared ones.
final class GraphCalls implements AutoCloseable {
    private static final int KEYS = 20;
    static final long FIRST_ID = 1_000_000;

    private final World world;
    private final int number;
    private final PrivateKeys keys;

    GraphCalls(World world, int number) {
        this.world = world;
        this.number = number;
        this.keys = world.vertices.get(number);
    }

    void call(int kind, Gen gen) throws InterruptedException {
        OrielGraph graph = world.graph;
        if (kind < 20) {
            putOwn(graph, gen);
        } else if (kind < 40) {
            move(graph, gen);
        } else if (kind < 45) {
            graph.tx().rollback();
            Invariants.checkEdges(graph, world.findings);
        } else if (kind < 60) {
            explore(graph, gen);
        } else if (kind < 64) {
            Graph threaded = graph.tx().createThreadedTx();
            world.opened.add(threaded);
            world.share(gen, threaded);
            if (!world.setting.shared()) {
                threaded.tx().rollback();
            }
        } else if (kind < 66) {
            die(graph, gen);
        } else {
            use(world.borrowed(gen), gen);
        }
    }

    static long idOf(int number, int key) {
        return FIRST_ID * (number + 1) + key;
    }

    private void putOwn(OrielGraph graph, Gen gen) {
        Map<Integer, String> changes = new HashMap<>();
        boolean committing = false;
        try {
            graph.tx().rollback();
            int count = 1 + gen.below(4);
            for (int i = 0; i < count; i++) {
                int key = gen.below(KEYS);
                String value = gen.chance(30) ? PrivateKeys.ABSENT : "v" + gen.below(1_000_000);
                Iterator<Vertex> found = graph.vertices(idOf(number, key));
                boolean removed = found.hasNext();
                if (removed) {
                    found.next().remove();
                }
                if (!value.isEmpty()) {
                    Vertex _ = graph.addVertex(T.id, idOf(number, key), T.label, "own", "v", value);
                }
                PrivateKeys.note(changes, key, value, removed);
            }
            if (gen.chance(15)) {
                graph.tx().rollback();
                return;
            }
            committing = true;
            graph.tx().commit();
            keys.acknowledged(changes);
        } catch (Throwable e) {
            if (committing) {
                keys.unknown(changes);
            }
            throw e;
        } finally {
            graph.tx().rollback();
        }
    }

    /// Adds two edges whose amounts add up to zero.
    private void move(OrielGraph graph, Gen gen) {
        try {
            graph.tx().rollback();
            Iterator<Vertex> places = graph.traversal().V().hasLabel("place");
            Vertex one = places.next();
            Vertex other = places.next();
            long amount = gen.below(100);
            Edge there = one.addEdge("moved", other, "amount", amount);
            Edge back = other.addEdge("moved", one, "amount", -amount);
            if (gen.chance(80)) {
                graph.tx().commit();
                if (gen.chance(30)) {
                    world.share(gen, gen.chance(50) ? one : other);
                }
            } else {
                there.remove();
                back.remove();
                world.share(gen, back);
            }
        } finally {
            graph.tx().rollback();
        }
    }

    /// Reads a part of a result, and leaves the rest on the shelf for any thread.
    private void explore(Graph graph, Gen gen) {
        Iterator<?> found =
                switch (gen.below(5)) {
                    case 0 -> graph.vertices();
                    case 1 -> graph.edges();
                    case 2 -> graph.traversal().V().hasLabel("place").both("moved").both("moved");
                    case 3 -> graph.traversal().V().values("v");
                    default -> graph.traversal().V().hasLabel("common").order().by("n");
                };
        read(found, gen);
        world.share(gen, found);
    }

    private void read(Iterator<?> found, Gen gen) {
        int count = gen.below(20);
        for (int i = 0; i < count && found.hasNext(); i++) {
            Object next = found.next();
            if (next instanceof Element && gen.chance(10)) {
                world.share(gen, next);
            }
        }
    }

    /// Starts a thread that ends within a transaction.
    private static void die(OrielGraph graph, Gen gen) throws InterruptedException {
        long n = gen.below(5);
        Runnable work =
                () -> {
                    try {
                        Iterator<Vertex> found = graph.traversal().V().hasLabel("common");
                        Vertex vertex = found.hasNext() ? found.next() : graph.addVertex("common");
                        vertex.property("n", n);
                    } catch (RuntimeException e) {
                        // Locked, or closed; other calls judge the same errors.
                    }
                };
        Thread thread =
                gen.chance(50) ? Thread.startVirtualThread(work) : Thread.ofPlatform().start(work);
        thread.join();
    }

    private void use(@Nullable Object thing, Gen gen) {
        switch (thing) {
            case OrielGraph threaded -> useThreaded(threaded, gen);
            case Vertex vertex -> useVertex(vertex, gen);
            case Edge edge -> {
                Object _ = edge.outVertex().label();
                if (gen.chance(50)) {
                    edge.properties().forEachRemaining(p -> check(p.key()));
                }
            }
            case Iterator<?> found -> read(found, gen);
            case null, default -> {
                Vertex vertex = world.graph.addVertex(T.label, "common", "n", gen.anyLong());
                world.share(gen, vertex);
                if (gen.chance(60)) {
                    world.graph.tx().commit();
                }
            }
        }
    }

    private void check(String key) {
        if (!key.equals("amount") && !key.equals("n") && !key.equals("v")) {
            world.findings.add("an unknown property: " + key);
        }
    }

    private void useVertex(Vertex vertex, Gen gen) {
        switch (gen.below(5)) {
            case 0 -> vertex.properties().forEachRemaining(p -> check(p.key()));
            case 1 -> read(vertex.edges(Direction.BOTH), gen);
            case 2 -> {
                if (vertex.label().equals("common")) {
                    vertex.property("n", gen.anyLong());
                }
            }
            case 3 -> {
                if (vertex.label().equals("common")) {
                    vertex.remove();
                }
            }
            default -> vertex.graph().tx().commit();
        }
    }

    /// A transaction that any thread may use, commit and roll back.
    private void useThreaded(OrielGraph threaded, Gen gen) {
        switch (gen.below(6)) {
            case 0 -> threaded.tx().commit();
            case 1 -> threaded.tx().rollback();
            case 2 -> explore(threaded, gen);
            case 3 -> threaded.close();
            default -> {
                Vertex one = threaded.addVertex(T.label, "common", "n", (long) gen.below(10));
                Edge _ = one.addEdge("near", one, "n", 1L);
                world.share(gen, one);
            }
        }
    }

    @Override
    public void close() {
        world.graph.tx().rollback();
    }
}
