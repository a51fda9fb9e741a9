package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Answers come in the order of the requests, however these come in, and wherever they are done.
final class ConnectionTest {
    @RegisterExtension final Served served = new Served();

    private static final class NoMemory extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("that of a test");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("that of a test");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    private static ByteBuf noop(int opaque) {
        byte[] none = {};
        return Unpooled.wrappedBuffer(Wire.request(Opcode.NOOP, opaque, 0, none, "", none));
    }

    /// The connections of a thread share what they gather answers in.
    @Test
    void whatCouldNotBeSentIsNobodyElses() {
        OrielServer server = served.start(ServerOptions.defaults().withPorts(0, -1, -1));
        EmbeddedChannel one = new EmbeddedChannel(new Connection(server, Listener.MEMCACHED));
        one.config().setAllocator(new NoMemory());
        ByteBuf half = noop(2).writerIndex(Request.HEADER_BYTES - 1);
        one.writeInbound(Unpooled.wrappedBuffer(noop(1), half));
        assertFalse(one.isOpen());
        EmbeddedChannel two = new EmbeddedChannel(new Connection(server, Listener.MEMCACHED));
        two.writeInbound(noop(3));
        ByteBuf answers = two.readOutbound();
        assertEquals(Request.HEADER_BYTES, answers.readableBytes());
        assertEquals(3, answers.getInt(12), "the opaque");
        answers.release();
        two.finishAndReleaseAll();
    }

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
