package dev.oriel.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A handler of a network thread that survives errors. Netty's own handler gives up its thread, with all
/// connections of it, on any `Error`. Some errors pass, such as a lack of memory or of descriptors. An error while
/// the first one is reported is survived too.
final class EnduringLoop implements IoHandler {
    /// Pause after an error, so that a recurring error does not use a whole processor.
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final IoHandler loop;
    private final Metrics metrics;
    private final ServerLog log;

    private EnduringLoop(IoHandler loop, Metrics metrics, ServerLog log) {
        this.loop = loop;
        this.metrics = metrics;
        this.log = log;
    }

    /// Makes handlers of `factory` enduring.
    static IoHandlerFactory factory(IoHandlerFactory factory, Metrics metrics, ServerLog log) {
        return executor -> new EnduringLoop(factory.newHandler(executor), metrics, log);
    }

    @Override
    public int run(IoHandlerContext context) {
        try {
            return loop.run(context);
        } catch (Throwable e) {
            report(e);
            LockSupport.parkNanos(REST_NANOS);
            return 0;
        }
    }

    /// Counts and logs `error`. Both need memory, which may be what lacks; then the log counts a lost line.
    private void report(Throwable error) {
        try {
            metrics.loopFailures.increment();
            log.failed("A thread of the network met an error and goes on", error);
        } catch (Throwable again) {
            log.lost();
        }
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
