package dev.oriel.studio;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request and its answer. Belongs to the thread that answers it.
@SuppressWarnings("FutureReturnValueIgnored") // a browser that is gone needs no answer
final class Exchange {
    static final JsonMapper JSON = new JsonMapper();
    private static final int CHUNK_BYTES = 32 << 10;

    private final Channel channel;
    private final FullHttpRequest request;
    private final QueryStringDecoder query;
    private boolean begun;
    private boolean answered;
    private @Nullable String user;

    Exchange(Channel channel, FullHttpRequest request) {
        this.channel = channel;
        this.request = request;
        this.query = new QueryStringDecoder(request.uri());
    }

    FullHttpRequest request() {
        return request;
    }

    String method() {
        return request.method().name();
    }

    String path() {
        return query.path();
    }

    /// Port of the server that received the request.
    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /// Address of the client.
    InetAddress address() {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }

    /// Name of the user who has logged in; null if the studio has no users.
    @Nullable String user() {
        return user;
    }

    void user(String name) {
        user = name;
    }

    /// First value of a query parameter; null if it is not given.
    @Nullable String parameter(String name) {
        List<String> values = query.parameters().get(name);
        return values == null ? null : values.getFirst();
    }

    /// Same as [#parameter], which must be given.
    String required(String name) {
        String value = parameter(name);
        if (value == null) {
            throw new RequestException(400, "The parameter " + name + " is missing; give it.");
        }
        return value;
    }

    /// The raw body.
    byte[] bytes() {
        return ByteBufUtil.getBytes(request.content());
    }

    /// The body as a JSON object.
    JsonNode body() {
        try {
            JsonNode json = JSON.readTree(request.content().toString(StandardCharsets.UTF_8));
            if (!json.isObject()) {
                throw new RequestException(400, "The body is not a JSON object; send one.");
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new RequestException(
                    400, "The body is not JSON: " + e.getOriginalMessage() + "; send JSON.");
        }
    }

    /// Answers with a whole JSON document.
    void json(JsonNode json) {
        send(200, "application/json", bytes(json));
    }

    private static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Answers with an error, or ends the answer if it has begun.
    void fail(int status, JsonNode error) {
        if (begun) {
            if (!answered) {
                byte[] line = bytes(error);
                writeChunk(line, line.length);
                writeChunk(new byte[] {'\n'}, 1);
            }
        } else {
            send(status, "application/json", bytes(error));
        }
    }

    /// Answers with all of `body`.
    void send(int status, String type, byte[] body) {
        send(response(status, type, body));
    }

    /// Answers with a page for the browser to save. It is never shown at this origin: its scripts would run beside
    /// ours.
    void attachment(String name, String html) {
        DefaultFullHttpResponse response =
                response(200, "application/octet-stream", html.getBytes(StandardCharsets.UTF_8));
        response.headers()
                .set(HttpHeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"" + name + "\"");
        send(response);
    }

    /// Answers with a file that does not change while the server runs.
    void sendFile(String type, byte[] body) {
        DefaultFullHttpResponse response = response(200, type, body);
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "private, max-age=3600");
        send(response);
    }

    /// Sends the browser to `path` with a cookie.
    void redirect(String path, String cookie) {
        DefaultFullHttpResponse response = response(303, "text/plain", new byte[0]);
        response.headers().set(HttpHeaderNames.LOCATION, path);
        response.headers().set(HttpHeaderNames.SET_COOKIE, cookie);
        send(response);
    }

    /// Answers with nothing but a cookie.
    void cookie(String cookie) {
        DefaultFullHttpResponse response =
                response(200, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
        response.headers().set(HttpHeaderNames.SET_COOKIE, cookie);
        send(response);
    }

    private static DefaultFullHttpResponse response(int status, String type, byte[] body) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        HttpResponseStatus.valueOf(status),
                        Unpooled.wrappedBuffer(body));
        headers(response.headers(), type);
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return response;
    }

    private void send(DefaultFullHttpResponse response) {
        begun = true;
        answered = true;
        finish(response);
    }

    /// Begins an answer of lines of JSON; close the stream to end it. Writing waits for a slow reader, and
    /// fails if the browser is gone.
    OutputStream lines() {
        HttpResponse response =
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        headers(response.headers(), "application/x-ndjson");
        HttpUtil.setTransferEncodingChunked(response, true);
        channel.write(response);
        begun = true;
        return new Chunks();
    }

    private static void headers(HttpHeaders headers, String type) {
        headers.set(HttpHeaderNames.CONTENT_TYPE, type + "; charset=utf-8");
        headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, Pages.POLICY);
    }

    private boolean writeChunk(byte[] bytes, int length) {
        var sent = channel.writeAndFlush(new DefaultHttpContent(copy(bytes, length)));
        if (!channel.isWritable()) {
            sent.awaitUninterruptibly();
        }
        return channel.isActive();
    }

    private static ByteBuf copy(byte[] bytes, int length) {
        return Unpooled.copiedBuffer(bytes, 0, length);
    }

    private void finish(Object last) {
        boolean keep = HttpUtil.isKeepAlive(request);
        if (last instanceof DefaultFullHttpResponse response && !keep) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        var sent = channel.writeAndFlush(last);
        if (!keep) {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /// Ends the exchange in any case: frees the request and lets the next one come.
    void end() {
        try {
            if (!answered) {
                answered = true;
                if (begun) {
                    finish(LastHttpContent.EMPTY_LAST_CONTENT);
                } else {
                    channel.close();
                }
            }
        } finally {
            request.release();
        }
        channel.config().setAutoRead(true);
    }

    private final class Chunks extends OutputStream {
        private final byte[] buffer = new byte[CHUNK_BYTES];
        private int length;

        @Override
        public void write(int b) throws IOException {
            if (length == buffer.length) {
                flush();
            }
            buffer[length++] = (byte) b;
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            int from = offset;
            int left = count;
            while (left > 0) {
                if (length == buffer.length) {
                    flush();
                }
                int part = Math.min(left, buffer.length - length);
                System.arraycopy(bytes, from, buffer, length, part);
                length += part;
                from += part;
                left -= part;
            }
        }

        @Override
        public void flush() throws IOException {
            if (length > 0) {
                boolean there = writeChunk(buffer, length);
                length = 0;
                if (!there) {
                    throw new IOException("The browser has closed the connection.");
                }
            }
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
