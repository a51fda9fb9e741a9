package dev.oriel.studio;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Collects requests; one that is too long is answered with an error that a person can read.
@SuppressWarnings("FutureReturnValueIgnored") // a browser that is gone needs no answer
final class WholeRequests extends HttpObjectAggregator {
    WholeRequests(int bytesMax) {
        super(bytesMax);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        String message =
                String.format(
                        Locale.ROOT,
                        "The request is longer than %,d bytes; send less at once, or use a program.",
                        maxContentLength());
        byte[] body =
                ErrorJson.of(new RequestException(413, message))
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                        Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=utf-8")
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        context.writeAndFlush(response); // what follows of the request is read and dropped
    }
}
