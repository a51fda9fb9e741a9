package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.graph.schema.OrielSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Changes of the schema beside writers and other changes of it.
final class SchemaBesideWritersTest {
    private final OrielGraph graph = OrielGraph.inMemory();
    private final OrielSchema schema = graph.schema();
    private final GraphTraversalSource g = graph.traversal();

    @AfterEach
    void check() {
        graph.tx().rollback();
        assertEquals(List.of(), graph.database().check());
        graph.close();
    }

    /// Begins `change` in a thread of its own, and returns once it waits.
    private static FutureTask<Void> waiting(Runnable change) {
        FutureTask<Void> task = new FutureTask<>(change, null);
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TIMED_WAITING
                && thread.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        return task;
    }

    /// The change waits for the writer, which does not wait for it.
    @Test
    void whoWritesUsesNewNamesWhileAChangeOfTheSchemaWaits()
            throws InterruptedException, ExecutionException {
        schema.propertyKey("age").asInt().create();
        schema.vertexLabel("person").properties("age").create();
        graph.addVertex(T.label, "person", "age", 1);
        FutureTask<Void> change =
                waiting(() -> schema.indexLabel("byAge").onV("person").by("age").create());
        graph.addVertex(T.label, "fresh", "key", 1).addEdge("new", graph.addVertex());
        graph.tx().commit();
        change.get(); // otherwise the writer has waited for it and was refused
        assertEquals(1L, g.V().has("person", "age", 1).count().next());
        assertEquals(1L, g.V().has("fresh", "key", 1).out("new").count().next());
        assertEquals(List.of("byAge"), schema.indexLabels());
    }

    @Test
    void noEdgeIsLeftToAVertexThatCameWhileItsLabelWasRemoved()
            throws InterruptedException, ExecutionException {
        Vertex kept = graph.addVertex(T.label, "kept");
        kept.addEdge("e", graph.addVertex(T.label, "gone", T.id, "old"));
        graph.tx().commit();
        kept.addEdge("e", graph.addVertex(T.label, "gone", T.id, "new"));
        FutureTask<Void> removal = waiting(() -> schema.vertexLabel("gone").remove());
        graph.tx().commit();
        removal.get();
        assertEquals(List.of("kept"), schema.vertexLabels());
        assertEquals(0L, g.E().count().next());
        assertEquals(List.of(kept), g.V().toList());
        assertFalse(graph.vertices("old", "new").hasNext());
        graph.tx().rollback();
        schema.edgeLabel("e").remove();
        assertEquals(List.of(), schema.edgeLabels());
    }

    @Test
    void twoThreadsThatDeclareTheSameAreBothServed()
            throws InterruptedException, ExecutionException {
        schema.propertyKey("age").asInt().create();
        CyclicBarrier barrier = new CyclicBarrier(2);
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 50; round++) {
                String label = "person" + round;
                schema.vertexLabel(label).create();
                List<Future<?>> both = new ArrayList<>();
                for (int thread = 0; thread < 2; thread++) {
                    String own = "own" + thread;
                    both.add(
                            executor.submit(() -> {
                                schema.propertyKey(own).asInt().ifNotExist().create();
                                barrier.await(1, TimeUnit.MINUTES);
                                schema.vertexLabel(label)
                                        .properties("age", own)
                                        .nullableKeys("age", own)
                                        .append();
                                barrier.await(1, TimeUnit.MINUTES);
                                schema.indexLabel("by" + label)
                                        .onV(label)
                                        .by("age")
                                        .ifNotExist()
                                        .create();
                                return label;
                            }));
                }
                for (Future<?> each : both) {
                    each.get();
                }
                graph.addVertex(T.label, label, "age", round, "own0", 1, "own1", 2);
                graph.tx().commit();
                assertTrue(schema.indexLabels().contains("by" + label));
                assertEquals(1L, g.V().has(label, "age", round).has("own1", 2).count().next());
                graph.tx().rollback();
            }
        }
    }
}
