package dev.oriel.studio;

import dev.oriel.studio.StudioUsers.Right;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The pipeline of each connection of a browser: TLS if there are users, the HTTP codec, the gate, then a virtual
/// thread that may block. A connection reads its next request when the one before was answered.
@SuppressWarnings("FutureReturnValueIgnored") // a browser that is gone needs no answer
final class HttpPipeline extends ChannelInitializer<SocketChannel> {
    private static final int BODY_BYTES_MAX = 4 << 20;

    /// Addresses hold names of tables and columns, of up to some thousand characters each.
    private static final int LINE_BYTES_MAX = 256 << 10;

    private static final int HEADER_BYTES_MAX = 16 << 10;
    private static final int CHUNK_BYTES_MAX = 64 << 10;

    private final ChannelGroup browsers;
    private final Gate gate;
    private final @Nullable StudioUsers users;
    private final Map<Right, Router> routers;
    private final ExecutorService workers;

    /// @param browsers gets each connection
    /// @param users null if everybody who holds a token is admitted
    /// @param routers routes by the rights of a request
    HttpPipeline(
            ChannelGroup browsers,
            Gate gate,
            @Nullable StudioUsers users,
            Map<Right, Router> routers,
            ExecutorService workers) {
        this.browsers = browsers;
        this.gate = gate;
        this.users = users;
        this.routers = routers;
        this.workers = workers;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        browsers.add(channel);
        if (users != null) {
            channel.pipeline().addLast(users.tls().newHandler(channel.alloc()));
        }
        channel.pipeline()
                .addLast(new HttpServerCodec(LINE_BYTES_MAX, HEADER_BYTES_MAX, CHUNK_BYTES_MAX))
                .addLast(new HttpContentCompressor());
        if (users != null) {
            channel.pipeline().addLast(new Strangers(gate));
        }
        channel.pipeline().addLast(new WholeRequests(BODY_BYTES_MAX)).addLast(new Requests());
    }

    private final class Requests extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            context.channel().config().setAutoRead(false);
            Exchange exchange = new Exchange(context.channel(), request.retain());
            try {
                workers.execute(() -> answer(exchange));
            } catch (RejectedExecutionException e) {
                exchange.end();
                context.close();
            }
        }

        private void answer(Exchange exchange) {
            try {
                Router router = routers.get(gate.admit(exchange));
                if (router != null) {
                    router.answer(exchange);
                }
            } finally {
                ended(exchange);
            }
        }

        private static void ended(Exchange exchange) {
            try {
                exchange.end();
            } catch (RejectedExecutionException e) {
                // the studio was closed meanwhile, and its connections with it
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the peer is gone, or its bytes are not HTTP
        }
    }
}
