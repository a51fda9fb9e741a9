package dev.oriel.studio;

import dev.oriel.Database;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A running studio: an HTTP server on the loopback address that shows one database.
///
/// ```java
/// try (Studio studio = Studio.open(database)) {
///     System.out.println(studio.address());
///     ...
/// }
/// ```
/// The address holds a token that works once: the browser that opens it gets a cookie, and no other client gets
/// in. The database must stay open for as long as its studio. Safe for use by any thread.
@SuppressWarnings("FutureReturnValueIgnored") // a browser that is gone needs no answer
public final class Studio implements AutoCloseable {
    private final EventLoopGroup loops;
    private final ExecutorService workers;
    private final Channel channel;
    private final Gate gate;
    private final Questions questions;
    private final Recordings recordings;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Studio(
            EventLoopGroup loops,
            ExecutorService workers,
            Channel channel,
            Gate gate,
            Questions questions,
            Recordings recordings) {
        this.loops = loops;
        this.workers = workers;
        this.channel = channel;
        this.gate = gate;
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
    /// @throws IOException if the port is taken
    public static Studio open(Database database, StudioOptions options) throws IOException {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
        Gate gate = new Gate();
        Questions questions = new Questions(database, options);
        Recordings recordings = new Recordings();
        Channel channel = null;
        try {
            Router router = new Api(database, options, questions, recordings).router();
            channel =
                    new ServerBootstrap()
                            .group(loops)
                            .channel(NioServerSocketChannel.class)
                            .childHandler(new HttpPipeline(gate, router, workers))
                            .bind(loopback(options.port()))
                            .syncUninterruptibly()
                            .channel();
            return new Studio(loops, workers, channel, gate, questions, recordings);
        } catch (Exception e) {
            throw new IOException(
                    "Port "
                            + options.port()
                            + " of the loopback address cannot be opened; choose another one.",
                    e);
        } finally {
            if (channel == null) {
                loops.shutdownGracefully();
                workers.close();
            }
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Port that it listens at.
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /// A new address that lets one browser in, once.
    public URI address() {
        return URI.create("http://127.0.0.1:" + port() + "/?token=" + gate.newToken());
    }

    /// Cancels running statements, ends connections and frees the port. May be called twice.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        channel.close().syncUninterruptibly();
        try {
            questions.cancelAll();
        } finally {
            loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
            workers.shutdownNow(); // a recording would sleep on
            workers.close();
            recordings.close();
        }
    }
}
