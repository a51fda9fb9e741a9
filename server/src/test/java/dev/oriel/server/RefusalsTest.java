package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.kv.Status;
import dev.oriel.store.ClosedException;
import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Every command that the disk refuses, `flush_all` too, gets the status of a refused set and is counted.
final class RefusalsTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Metrics metrics = new Metrics();
    private final Refusals refusals =
            new Refusals(
                    metrics,
                    new ServerLog(new PrintStream(said, true, StandardCharsets.UTF_8)),
                    () -> 0);

    @Test
    void aFullDiskIsNoFailureInside() {
        LimitException full =
                new LimitException("The disk is full", "", new IOException("No space left"));
        assertEquals(Status.OUT_OF_MEMORY, refusals.status("A bucket could not be emptied", full));
        assertEquals(1, refusals.full.sum());
        assertEquals(0, metrics.failures.sum());
        assertEquals("The disk is full", refusals.failure());
        String log = said.toString(StandardCharsets.UTF_8);
        assertTrue(log.contains("A bucket could not be emptied"), log);
        refusals.succeeded();
        assertEquals("", refusals.failure());
    }

    @Test
    void othersAreToldApart() {
        assertEquals(
                Status.TEMPORARY_FAILURE, refusals.status("x", new ClosedException("It ends", "")));
        assertEquals(0, said.size(), "no line for each request of the end");
        assertEquals(0, metrics.failures.sum());
        assertEquals(Status.INTERNAL, refusals.status("x", new UsageException("Wrong", "")));
        assertEquals(1, metrics.failures.sum());
        assertNotEquals(0, said.size());
    }
}
