package dev.oriel.sql.cancel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.SqlException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private static final int TASKS = 200;

    /// The workers of the common pool, which run CompletableFuture and parallel streams, lose their thread locals
    /// between two tasks.
    @Test
    void aCancelReachesThreadsThatLoseTheirThreadLocals() throws Exception {
        Cancellation cancellation = new Cancellation();
        Set<Thread> workers = new HashSet<>();
        for (int i = 0; i < TASKS; i++) {
            Thread worker =
                    ForkJoinPool.commonPool()
                            .submit(() -> {
                                cancellation.enter();
                                try {
                                    cancellation.request();
                                    SqlException cancelled =
                                            assertThrows(
                                                    SqlException.class, Cancellation::pollRunning);
                                    assertEquals(SqlException.Kind.CANCELLED, cancelled.kind());
                                } finally {
                                    cancellation.clear();
                                    cancellation.leave();
                                }
                                return Thread.currentThread();
                            })
                            .get();
            workers.add(worker);
        }
        assertTrue(workers.size() < TASKS, "no worker ran two tasks");
    }
}
