package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.StorageException;
import io.netty.util.internal.logging.InternalLogger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The log: how often the same event is written, and what is written of Netty's.
final class ServerLogTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long nowNanos;
    private final ServerLog log =
            new ServerLog(new PrintStream(bytes, true, StandardCharsets.UTF_8), () -> nowNanos);

    private List<String> lines() {
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        bytes.reset();
        return lines;
    }

    @Test
    void anEventThatComesOftenIsWrittenSometimesAndCounted() {
        for (int i = 0; i < 1_000; i++) {
            log.warned("often", "number", Integer.toString(i));
        }
        log.said("seldom");
        List<String> lines = lines();
        assertEquals(LineRate.BURST + 1, lines.size());
        assertTrue(lines.getLast().endsWith("\"event\":\"seldom\"}"), lines.getLast());
        nowNanos += LineRate.NANOS_PER_LINE;
        log.warned("often");
        log.warned("often");
        lines = lines();
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().endsWith("\"left_out\":\"980\"}"), lines.getFirst());
    }

    @Test
    void whatWasLeftOutIsToldWhenTheEventHasQuietened() {
        for (int i = 0; i < LineRate.BURST + 5; i++) {
            log.said("often");
        }
        log.tellLeftOut();
        assertEquals(LineRate.BURST, lines().size());
        nowNanos += LineRate.NANOS_PER_LINE;
        log.tellLeftOut();
        log.tellLeftOut();
        List<String> lines = lines();
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().endsWith("\"of\":\"often\",\"count\":\"5\"}"));
    }

    @Test
    void theReasonOfAnErrorOfTheDatabaseIsWritten() {
        IOException disk = new IOException("Too many open files");
        log.failed("A change failed", new StorageException("The log cannot be written", "", disk));
        log.failed("other", new IllegalStateException("wrong", new IOException("of a client")));
        List<String> lines = lines();
        assertTrue(
                lines.getFirst()
                        .contains("\"reason\":\"java.io.IOException: Too many open files\""),
                lines.getFirst());
        assertFalse(lines.getLast().contains("client"), lines.getLast());
    }

    @Test
    void linesBelowTheLevelAreNotWritten() {
        log.level(ServerLog.Level.WARN);
        log.said("quiet");
        log.warned("loud");
        assertEquals(1, lines().size());
    }

    /// Arguments and messages of errors may be what a client has sent.
    @Test
    void ofNettysWarningsOnlyTheFixedPartsAreWritten() {
        InternalLogger netty = new NettyLog(log).newInstance("io.netty.Some");
        netty.warn("Discarded {}", "secret", new IllegalStateException("secret"));
        netty.debug("nothing");
        List<String> lines = lines();
        assertEquals(1, lines.size());
        assertTrue(
                lines.getFirst()
                        .endsWith(
                                "\"logger\":\"io.netty.Some\",\"message\":\"Discarded {}\","
                                        + "\"error\":\"java.lang.IllegalStateException\"}"),
                lines.getFirst());
    }
}
