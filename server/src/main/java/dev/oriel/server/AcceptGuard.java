package dev.oriel.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/// Precedes the acceptor of a listening channel. If a connection cannot be accepted, for example because the
/// process has no descriptor left, it accepts none for a while; the failure is not passed on.
///
/// Belongs to the thread of its channel except for [#failure], which any thread may call.
final class AcceptGuard extends ChannelInboundHandlerAdapter {
    private static final long REST_MILLIS_MIN = 50;
    private static final long REST_MILLIS_MAX = 1_000;

    /// Time without another failure after which a failure counts as past.
    private static final long OVER_NANOS = TimeUnit.MILLISECONDS.toNanos(3 * REST_MILLIS_MAX);

    private final Listener listener;
    private final Metrics metrics;
    private final ServerLog log;
    private long restMillis = REST_MILLIS_MIN;
    private volatile long failedNanos;
    private volatile String reason = "";

    AcceptGuard(Listener listener, Metrics metrics, ServerLog log) {
        this.listener = listener;
        this.metrics = metrics;
        this.log = log;
    }

    /// The reason that connections cannot be accepted at present; empty if they can.
    String failure() {
        String known = reason;
        return known.isEmpty() || System.nanoTime() - failedNanos > OVER_NANOS ? "" : known;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        restMillis = REST_MILLIS_MIN;
        context.fireChannelRead(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Channel channel = context.channel();
        var _ = // first of all: if there is no memory for it, the channel goes on accepting
                channel.eventLoop()
                        .schedule(
                                () -> channel.config().setAutoRead(true),
                                restMillis,
                                TimeUnit.MILLISECONDS);
        channel.config().setAutoRead(false);
        restMillis = Math.min(2 * restMillis, REST_MILLIS_MAX);
        try {
            metrics.acceptFailures.increment();
            log.failed(
                    "A connection could not be accepted; the next attempt follows after a rest",
                    cause,
                    "listener",
                    listener.label());
        } finally { // whoever sees the reason in health finds the line in the log
            failedNanos = System.nanoTime();
            reason = String.valueOf(cause.getMessage());
        }
    }
}
