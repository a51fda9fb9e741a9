package dev.oriel.studio;

import dev.oriel.Database;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A running studio: an HTTP server on the loopback address that shows one database.
///
/// ```java
/// try (Studio studio = Studio.open(database)) {
///     System.out.println(studio.address());
///     ...
/// }
/// ```
/// The address holds a token that works once: the browser that opens it gets a cookie, and no other client gets
/// in. With [StudioUsers] it may listen at other addresses; then browsers log in over TLS. The database must stay open
/// for as long as its studio. Safe for use by any thread.
@SuppressWarnings("FutureReturnValueIgnored") // a browser that is gone needs no answer
public final class Studio implements AutoCloseable {
    private final EventLoopGroup loops;
    private final ExecutorService workers;
    private final Channel channel;
    private final ChannelGroup browsers;
    private final Gate gate;
    private final @Nullable String host;
    private final List<Questions> questions;
    private final Recordings recordings;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param host address for browsers that log in; null if a token admits them
    private Studio(
            EventLoopGroup loops,
            ExecutorService workers,
            Channel channel,
            ChannelGroup browsers,
            Gate gate,
            @Nullable String host,
            List<Questions> questions,
            Recordings recordings) {
        this.loops = loops;
        this.workers = workers;
        this.channel = channel;
        this.browsers = browsers;
        this.gate = gate;
        this.host = host;
        this.questions = questions;
        this.recordings = recordings;
    }

    /// Starts a studio over `database` with the default options. The studio stands above the database, as other
    /// modules do, so that a program without it carries none of its libraries.
    ///
    /// @throws IOException if no port is free
    public static Studio open(Database database) throws IOException {
        return open(database, StudioOptions.defaults());
    }

    /// Starts a studio over `database`.
    ///
    /// @throws IllegalArgumentException if the host of `options` is not the loopback address
    /// @throws IOException if the port is taken
    public static Studio open(Database database, StudioOptions options) throws IOException {
        return start(database, options, null);
    }

    /// Starts a studio over `database` that its users open over TLS, after a login.
    ///
    /// @throws IOException if the port is taken
    public static Studio open(Database database, StudioOptions options, StudioUsers users)
            throws IOException {
        return start(database, options, users);
    }

    private static Studio start(
            Database database, StudioOptions options, @Nullable StudioUsers users)
            throws IOException {
        InetAddress host = InetAddress.getByName(options.host());
        if (users == null && !host.isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "The studio would be open to other machines at "
                            + options.host()
                            + "; give it users and TLS, or leave the host out.");
        }
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
        Gate gate = new Gate(users);
        Questions writing = new Questions(database, options);
        StudioOptions forReaders = options.withReadOnly(true);
        Questions reading = new Questions(database, forReaders);
        Recordings recordings = new Recordings();
        ChannelGroup browsers = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);
        Channel channel = null;
        try {
            Map<StudioUsers.Right, Router> routers = new EnumMap<>(StudioUsers.Right.class);
            routers.put(
                    StudioUsers.Right.WRITE,
                    new Api(database, options, writing, recordings).router());
            routers.put(
                    StudioUsers.Right.READ,
                    new Api(database, forReaders, reading, recordings).router());
            channel =
                    new ServerBootstrap()
                            .group(loops)
                            .channel(NioServerSocketChannel.class)
                            .childHandler(new HttpPipeline(browsers, gate, users, routers, workers))
                            .bind(new InetSocketAddress(host, options.port()))
                            .syncUninterruptibly()
                            .channel();
            String shown = users == null ? null : shown(host, options.host());
            return new Studio(
                    loops,
                    workers,
                    channel,
                    browsers,
                    gate,
                    shown,
                    List.of(writing, reading),
                    recordings);
        } catch (Exception e) {
            throw new IOException(
                    "Port "
                            + options.port()
                            + " of "
                            + options.host()
                            + " cannot be opened; choose another one.",
                    e);
        } finally {
            if (channel == null) {
                loops.shutdownGracefully();
                workers.close();
            }
        }
    }

    private static String shown(InetAddress host, String given) {
        return host.isAnyLocalAddress()
                ? "localhost"
                : given.contains(":") ? "[" + given + "]" : given;
    }

    /// Port that it listens at.
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /// A new address that lets one browser in, once; with users the address of the login.
    public URI address() {
        return host != null
                ? URI.create("https://" + host + ":" + port() + "/")
                : URI.create("http://127.0.0.1:" + port() + "/?token=" + gate.newToken());
    }

    /// Cancels running statements, ends connections and frees the port. May be called twice.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        channel.close().syncUninterruptibly();
        try {
            cancelAll();
        } finally {
            // The event loop's own end has left connections open, and requests on them unanswered.
            boolean _ = browsers.close().awaitUninterruptibly(2, TimeUnit.SECONDS);
            loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
            workers.shutdownNow(); // a recording would sleep on
            workers.close();
            recordings.close();
        }
    }

    private void cancelAll() {
        try {
            questions.getFirst().cancelAll();
        } finally {
            questions.getLast().cancelAll();
        }
    }
}
