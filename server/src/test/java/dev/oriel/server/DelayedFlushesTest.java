package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Times at which `flush_all` removes the entries.
class DelayedFlushesTest {
    private static final long SECOND = 1_000_000;
    private static final long NOW = 1_800_000_000 * SECOND;
    private static final long DAY = 24 * 60 * 60;

    @RegisterExtension private final Served served = new Served();

    /// A delayed removal.
    private record Put(Runnable work, long micros, CompletableFuture<Void> future) {}

    @Test
    void timesBeyondThirtyDaysCountFrom1970() {
        assertEquals(NOW + SECOND, Client.moment(1, NOW));
        assertEquals(NOW + 30 * DAY * SECOND, Client.moment(30 * DAY, NOW));
        assertEquals((30 * DAY + 1) * SECOND, Client.moment(30 * DAY + 1, NOW));
        assertEquals(NOW + 5 * SECOND, Client.moment(NOW / SECOND + 5, NOW));
    }

    @Test
    void anAbsoluteTimeThatHasPassedRemovesAtOnce() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            assertEquals("STORED\r\n", wire.ask("set a 0 0 1\r\n1\r\n"));
            long past = 30 * DAY + 1;
            assertEquals("OK\r\nEND\r\n", wire.ask("flush_all " + past + "\r\nget a\r\n"));
            assertEquals("STORED\r\n", wire.ask("set a 0 0 1\r\n1\r\n"));
            long future = System.currentTimeMillis() / 1_000 + 10 * DAY;
            assertTrue(wire.ask("flush_all " + future + "\r\nget a\r\n").contains("VALUE a"));
        }
    }

    @Test
    void aSecondOneTakesThePlaceOfTheFirst() {
        List<Put> put = new ArrayList<>();
        List<String> emptied = new ArrayList<>();
        DelayedFlushes flushes =
                new DelayedFlushes(
                        emptied::add,
                        (work, micros) -> {
                            Put one = new Put(work, micros, new CompletableFuture<>());
                            put.add(one);
                            return one.future;
                        });
        flushes.add("a", 10);
        flushes.add("b", 20);
        flushes.add("a", 30);
        assertEquals(List.of(10L, 20L, 30L), put.stream().map(Put::micros).toList());
        assertEquals(
                List.of(true, false, false),
                put.stream().map(one -> one.future.isCancelled()).toList());
        put.get(0).work.run(); // its timer had run out when it was replaced
        assertEquals(List.of(), emptied);
        put.get(2).work.run();
        assertEquals(List.of("a"), emptied);
        flushes.cancel("b");
        assertTrue(put.get(1).future.isCancelled());
    }
}
