package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Received bytes that are not yet processed.
final class InputTest {
    private static final int LONG = 10 << 20;

    @Test
    void theArrayOfALongRequestGoesWithItAndTheBeginningOfTheNextOneStays() {
        for (String rest : new String[] {"", "set a 0 0 10"}) {
            Input in = new Input();
            in.expect(LONG);
            in.add(Unpooled.wrappedBuffer(new byte[LONG]));
            in.add(Unpooled.wrappedBuffer(rest.getBytes(StandardCharsets.UTF_8)));
            in.skip(LONG);
            in.expect(0);
            in.trim();
            assertTrue(in.bytes().length < 64 << 10, in.bytes().length + " bytes are kept");
            assertEquals(rest, in.text(0, in.length()));
            in.add(Unpooled.wrappedBuffer(new byte[] {'!'}));
            assertEquals(rest + "!", in.text(0, in.length()));
        }
    }
}
