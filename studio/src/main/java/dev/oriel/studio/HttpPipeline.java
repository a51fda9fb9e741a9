package dev.oriel.studio;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/// The pipeline of each connection of a browser: the HTTP codec, the gate, then a virtual thread that may block. A
/// connection reads its next request when the one before was answered.
@SuppressWarnings("FutureReturnValueIgnored") // a browser that is gone needs no answer
final class HttpPipeline extends ChannelInitializer<SocketChannel> {
    private static final int BODY_BYTES_MAX = 4 << 20;

    private final Gate gate;
    private final Router router;
    private final ExecutorService workers;

    HttpPipeline(Gate gate, Router router, ExecutorService workers) {
        this.gate = gate;
        this.router = router;
        this.workers = workers;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        channel.pipeline()
                .addLast(new HttpServerCodec())
                .addLast(new HttpContentCompressor())
                .addLast(new HttpObjectAggregator(BODY_BYTES_MAX))
                .addLast(new Requests());
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
                if (gate.admits(exchange)) {
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
