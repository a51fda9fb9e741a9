package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.netty.util.internal.logging.InternalLogger;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Network threads while there is no memory, even for the log.
final class EnduringLoopTest {
    private final AtomicBoolean noMemory = new AtomicBoolean(true);

    /// A log whose every line needs memory that there is not.
    private final ServerLog log =
            new ServerLog(
                    new PrintStream(
                            new OutputStream() {
                                @Override
                                public void write(int b) throws IOException {
                                    throw lack();
                                }
                            },
                            true,
                            StandardCharsets.UTF_8));

    private static OutOfMemoryError lack() {
        return new OutOfMemoryError("Java heap space");
    }

    /// The handler of a loop that lacks memory whenever it is to work.
    private final class Lacking implements IoHandler {
        private final IoHandler loop;

        Lacking(IoHandler loop) {
            this.loop = loop;
        }

        @Override
        public int run(IoHandlerContext context) {
            if (noMemory.get()) {
                throw lack();
            }
            return loop.run(context);
        }

        @Override
        public void initialize() {
            loop.initialize();
        }

        @Override
        public void prepareToDestroy() {
            loop.prepareToDestroy();
        }

        @Override
        public void destroy() {
            loop.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return loop.register(handle);
        }

        @Override
        public void wakeup() {
            loop.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return loop.isCompatible(type);
        }
    }

    private IoHandlerFactory lacking() {
        IoHandlerFactory usual = NioIoHandler.newFactory();
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new Lacking(usual.newHandler(executor));
            }
        };
    }

    @Test
    void aThreadOutlivesALackOfMemoryThatTheLogHasToo() throws Exception {
        Metrics metrics = new Metrics();
        MultiThreadIoEventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(1, EnduringLoop.factory(lacking(), metrics, log));
        try {
            var first = loops.submit(() -> "alive");
            assertEquals("alive", first.get(1, TimeUnit.MINUTES));
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (metrics.loopFailures.sum() < 3) {
                assertTrue(System.nanoTime() < deadline, "the errors are counted");
                Thread.onSpinWait();
            }
            noMemory.set(false);
            var later = loops.schedule(() -> "alive", 20, TimeUnit.MILLISECONDS);
            assertEquals("alive", later.get(1, TimeUnit.MINUTES));
            assertFalse(loops.isShuttingDown());
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void warningsOfNettyThrowNothing() {
        InternalLogger netty = new NettyLog(log).newInstance("io.netty.Some");
        assertDoesNotThrow(() -> netty.warn("Failed to accept", lack()));
        assertDoesNotThrow(() -> netty.error("Failed {} {}", "a", lack()));
    }
}
