package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two threads that go on with one iterator at a time, against its rules: each element is one of the graph's, or
/// the call fails with a documented exception.
class SharedIteratorTest {
    private static final int ROUNDS = 300;
    private static final int ELEMENTS = 1_000;

    @Test
    void elementsAreNeverMadeOfTwo(@TempDir Path folder) throws InterruptedException {
        try (OrielGraph graph = OrielGraph.open(folder.resolve("db"))) {
            Vertex hub = graph.addVertex(T.id, "hub");
            for (int i = 0; i < ELEMENTS; i++) {
                hub.addEdge("knows", graph.addVertex(T.id, "v" + i));
            }
            graph.tx().commit();
            List<String> wrong = new ArrayList<>();
            wrong.addAll(shared(graph::edges));
            wrong.addAll(shared(graph::vertices));
            assertEquals(List.of(), wrong);
        }
    }

    private static Set<String> shared(Supplier<Iterator<? extends Element>> iterators)
            throws InterruptedException {
        Set<Object> ids = new HashSet<>();
        iterators.get().forEachRemaining(element -> ids.add(element.id()));
        assertTrue(ids.size() >= ELEMENTS);
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        for (int round = 0; round < ROUNDS; round++) {
            Iterator<? extends Element> one = iterators.get();
            Runnable reader =
                    () -> {
                        try {
                            while (one.hasNext()) {
                                Object id = one.next().id();
                                if (!ids.contains(id)) {
                                    wrong.add("no such element: " + id);
                                }
                            }
                        } catch (NoSuchElementException | IllegalStateException documented) {
                            // The other thread was there at the same time.
                        } catch (RuntimeException raw) {
                            wrong.add(raw.toString());
                        }
                    };
            Thread other = Thread.ofPlatform().start(reader);
            reader.run();
            other.join();
        }
        return Set.copyOf(wrong);
    }
}
