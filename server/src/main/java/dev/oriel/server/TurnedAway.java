package dev.oriel.server;

import dev.oriel.kv.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A client of the binary protocol beyond the limit of connections. An answer needs the number of a request, so
/// the first request is awaited for a second; its status says that there are too many. Then the connection is
/// closed. Belongs to the thread of its channel.
final class TurnedAway extends ChannelInboundHandlerAdapter {
    /// Greatest number of such clients that are awaited at once: each has a descriptor.
    static final int AWAITED_MAX = 32;

    private static final int HEADER_BYTES = 24;
    private static final int REQUEST = 0x80;
    private static final int FLEXIBLE_REQUEST = 0x08;
    private static final int RESPONSE = 0x81;
    private static final long WAIT_MILLIS = 1_000;

    private final AtomicInteger awaited;
    private final byte[] header = new byte[HEADER_BYTES];
    private int length;

    /// Closes a connection beyond the limit, and says so if the protocol has words for it. With TLS the words would
    /// need a handshake, which is more work than such a client is worth, so the log alone has the reason.
    ///
    /// @param waiting number of clients that wait for their refusal
    static void turnAway(
            Listener listener,
            SocketChannel channel,
            boolean encrypts,
            AtomicInteger waiting,
            ServerLog log) {
        log.warned(
                "A connection was refused: there are too many",
                "address",
                channel.remoteAddress() == null
                        ? ""
                        : channel.remoteAddress().getAddress().getHostAddress(),
                "listener",
                listener.label(),
                "tls",
                Boolean.toString(encrypts));
        if (encrypts) {
            Connection.close(channel);
        } else if (listener != Listener.COUCHBASE) {
            channel.writeAndFlush(
                            Unpooled.copiedBuffer(listener.tooMany(), StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        } else if (waiting.incrementAndGet() <= AWAITED_MAX) {
            channel.pipeline().addLast(new TurnedAway(waiting));
        } else {
            waiting.decrementAndGet();
            Connection.close(channel);
        }
    }

    /// @param awaited number of clients that are awaited, this one included
    TurnedAway(AtomicInteger awaited) {
        this.awaited = awaited;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        var _ =
                context.executor()
                        .schedule(
                                () -> Connection.close(context.channel()),
                                WAIT_MILLIS,
                                TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            int more = Math.min(bytes.readableBytes(), HEADER_BYTES - length);
            bytes.readBytes(header, length, more);
            length += more;
            if (more > 0 && length == HEADER_BYTES) {
                answer(context);
            }
        } finally {
            bytes.release();
        }
    }

    private void answer(ChannelHandlerContext context) {
        int magic = header[0] & 0xFF;
        if (magic != REQUEST && magic != FLEXIBLE_REQUEST) {
            Connection.close(context.channel());
            return;
        }
        ByteBuf answer = context.alloc().buffer(HEADER_BYTES);
        answer.writeByte(RESPONSE).writeByte(header[1]).writeZero(4);
        answer.writeShort(Status.RATE_CONNECTIONS.code()).writeInt(0);
        answer.writeBytes(header, 12, 4).writeLong(0);
        ChannelFuture _ = context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        awaited.decrementAndGet();
    }

    /// Ignores that the client left: its refusal is logged already.
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Connection.close(context.channel());
    }
}
