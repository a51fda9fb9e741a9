package dev.oriel.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.graph.element.GraphTransaction;
import dev.oriel.store.ClosedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Behaviour of a transaction towards threads that it does not belong to.
@Timeout(120)
class TransactionThreadsTest {
    private final OrielGraph graph = OrielGraph.inMemory();

    @AfterEach
    void check() {
        graph.tx().rollback();
        assertEquals(0, graph.database().check().size());
        graph.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void transactionOfAThreadThatEndsIsRolledBack(boolean virtual) throws Exception {
        Vertex vertex = graph.addVertex("place");
        vertex.property("n", 0L);
        graph.tx().commit();
        Runnable work = () -> vertex.property("n", 1L);
        Thread thread = virtual ? Thread.startVirtualThread(work) : Thread.ofPlatform().start(work);
        thread.join();
        Object before = vertex.value("n");
        vertex.property("n", 2L); // waits for the lock
        graph.tx().commit();
        assertEquals(0L, before);
        assertEquals(2L, vertex.<Long>value("n"));
    }

    @Test
    void lateCallInASharedTransactionMeetsNoOther() {
        OrielGraph threaded = graph.tx().createThreadedTx();
        GraphTransaction late = threaded.work();
        threaded.tx().commit();
        graph.tx().open();
        assertNotSame(late, graph.work());
        assertThrows(IllegalStateException.class, () -> late.vertices().insert("place", null));
        graph.tx().rollback();
        assertEquals(0, graph.traversal().V().count().next());
    }

    @Test
    void closedDatabaseRefusesCommitsOfOtherThreads() throws Exception {
        OrielGraph closing = OrielGraph.inMemory();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<Throwable> refused = new AtomicReference<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            closing.addVertex("place");
                            begun.countDown();
                            try {
                                closed.await();
                                closing.addVertex("place");
                                closing.tx().commit();
                            } catch (RuntimeException | InterruptedException e) {
                                refused.set(e);
                            }
                        });
        begun.await();
        closing.close();
        closed.countDown();
        thread.join();
        assertInstanceOf(ClosedException.class, refused.get());
    }

    @Test
    void transactionOfALivingThreadStaysOpen() throws Exception {
        AtomicReference<Object> seen = new AtomicReference<>();
        Vertex vertex = graph.addVertex("place");
        Thread thread =
                Thread.ofPlatform().start(() -> seen.set(graph.traversal().V().count().next()));
        thread.join();
        assertEquals(0L, seen.get());
        graph.tx().commit();
        assertEquals(vertex, graph.vertices(vertex.id()).next());
    }
}
