package dev.oriel.studio;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Bounds connections whose sender has not logged in: 4 KB a body, half a minute in all.
@SuppressWarnings("FutureReturnValueIgnored") // a stranger needs no answer
final class Strangers extends ChannelInboundHandlerAdapter {
    private static final int BODY_BYTES_MAX = 4 << 10;
    private static final long SECONDS_MAX = 30;

    private final Gate gate;
    private @Nullable Future<?> end;

    Strangers(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        end = context.executor().schedule(() -> context.close(), SECONDS_MAX, TimeUnit.SECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stay();
    }

    private void stay() {
        if (end != null) {
            end.cancel(false);
            end = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof HttpRequest request) {
            int port = ((InetSocketAddress) context.channel().localAddress()).getPort();
            HttpHeaders headers = request.headers();
            if (gate.knows(headers, port)) {
                stay();
            } else if (HttpUtil.isTransferEncodingChunked(request)
                    || HttpUtil.getContentLength(request, 0L) > BODY_BYTES_MAX) {
                context.close();
                return;
            }
        }
        super.channelRead(context, message);
    }
}
