package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Answers come in the order of the requests, however these come in, and wherever they are done.
final class ConnectionTest {
    @RegisterExtension final Served served = new Served();

    /// What may wait is done by another thread, and what follows may be read at the moment at which that one
    /// has just finished.
    @Test
    void answersKeepTheOrderOfRequestsThatComeInPieces() throws Exception {
        try (Wire wire = new Wire(served.start())) {
            for (int i = 0; i < 5_000; i++) {
                wire.send("touch none 1\r\nmn\r\n");
                wire.send("get none\r\n");
                wire.send("set a 0 0 1\r\n1\r\n");
                wire.send("mn\r\n");
                String answers =
                        wire.line() + wire.line() + wire.line() + wire.line() + wire.line();
                assertEquals("NOT_FOUND\r\nMN\r\nEND\r\nSTORED\r\nMN\r\n", answers, "round " + i);
            }
        }
    }
}
