package dev.oriel.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One client. Requests are executed one after the other, in their order, and the answers of all that came
/// together are sent together.
///
/// ```
///            bytes              must wait
///   here  --------->  here  ----------------->  away: a virtual thread does this request
///   (the thread of    done                            and all that follow it,
///    the network)      <---------------------------   until there are no more
/// ```
/// Requests are executed on the network thread that received them. A request that must wait, for a lock or for the
/// disk, is handed to a virtual thread, with all later ones. Its answers and its return go through the queue of the
/// network thread, so answers keep their order. A client that sends faster than it is served, or does not read its
/// answers, is not read from until it has caught up.
///
/// All fields belong to the network thread, except for `held` and `protocol` while the connection is away.
final class Connection extends ChannelInboundHandlerAdapter {
    /// Greatest number of queued bytes: beyond it no more are read.
    private static final int QUEUED_BYTES_MAX = 128 << 10;

    /// Number of bytes of answers handed to the system at once: the direct memory they are copied to is scarce.
    private static final int PIECE_BYTES_MAX = 256 << 10;

    /// Buffers shared by the connections of a thread, one after the other.
    private static final class Shared {
        final Input input = new Input(64 << 10);
        final Output output = new Output();
    }

    private static final FastThreadLocal<Shared> SHARED =
            new FastThreadLocal<>() {
                @Override
                protected Shared initialValue() {
                    return new Shared();
                }
            };

    private final Listener listener;
    private final OrielServer server;

    /// Bytes received while they could not be processed.
    private final Queue<ByteBuf> inbox = new ConcurrentLinkedQueue<>();

    private final AtomicInteger queuedBytes = new AtomicInteger();

    /// An incomplete request, or the input of the virtual thread that works for it; else null.
    private @Nullable Input held;

    private @Nullable Protocol protocol;
    private @Nullable Waiting waiting;
    private boolean away;
    private boolean paused;
    private boolean unflushed;
    private boolean released;
    private boolean ending;
    private Peer peer = new Peer("", false);
    private volatile boolean gone;

    /// Whether answers wait until the client reads.
    private volatile boolean sends;

    // Read by other threads while it works; the counts may be a little old then.
    private final long id;
    private final long openedMillis = System.currentTimeMillis();
    private volatile long heardNanos = System.nanoTime();
    private volatile long tookNanos = heardNanos;
    private long receivedBytes;
    private long sentBytes;

    Connection(OrielServer server, Listener listener) {
        this.server = server;
        this.listener = listener;
        this.id = server.nextConnectionId();
    }

    /// The state of a connection, for other threads.
    ///
    /// @param idleMillis time since its client last sent anything
    /// @param working whether it is executing a request that has to wait
    record View(
            long id,
            String listener,
            String address,
            String user,
            String bucket,
            long ageMillis,
            long idleMillis,
            boolean working,
            long receivedBytes,
            long sentBytes,
            String lastCommand) {}

    /// A snapshot of its state; may be called by any thread.
    View view() {
        Protocol spoken = protocol;
        Client client = spoken == null ? null : spoken.client();
        String bucket = client == null ? null : client.bucket();
        return new View(
                id,
                listener.label(),
                peer.address(),
                client == null ? "" : client.userName(),
                bucket == null ? "" : bucket,
                System.currentTimeMillis() - openedMillis,
                (System.nanoTime() - heardNanos) / 1_000_000,
                away,
                receivedBytes,
                sentBytes,
                client == null ? "" : client.lastCommand());
    }

    long id() {
        return id;
    }

    /// Condition on which a virtual thread waits until the client has read enough.
    private static final class Waiting {
        final ReentrantLock lock = new ReentrantLock();
        final Condition changed = lock.newCondition();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        boolean encrypts = channel.pipeline().get(SslHandler.class) != null;
        peer =
                channel.remoteAddress() instanceof InetSocketAddress from
                        ? new Peer(
                                from.getAddress().getHostAddress(),
                                encrypts || from.getAddress().isLoopbackAddress())
                        : new Peer("", encrypts || listener == Listener.ADMIN);
        server.opened(this, channel);
        if (!server.accounts().isOpen()) {
            watchStranger(channel);
        }
    }

    /// Closes a connection that does not log in in time, however slowly it sends.
    private void watchStranger(Channel channel) {
        Runnable look =
                () -> {
                    if (away) {
                        watchStranger(channel); // it works at logging in, so it is not idle
                    } else if (!gone && (protocol == null || protocol.isStranger())) {
                        server.metrics().idleClosed.increment();
                        close(channel);
                    }
                };
        var _ = channel.eventLoop().schedule(look, server.strangerMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        server.metrics().bytesRead.add(bytes.readableBytes());
        heardNanos = System.nanoTime();
        receivedBytes += bytes.readableBytes();
        if (gone) {
            bytes.release();
        } else if (away || paused) {
            if (queuedBytes.addAndGet(bytes.readableBytes()) > QUEUED_BYTES_MAX) {
                context.channel().config().setAutoRead(false);
            }
            inbox.add(bytes);
        } else {
            Input in = held == null ? SHARED.get().input : held;
            in.add(bytes);
            work(context.channel(), in);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (unflushed) {
            unflushed = false;
            context.flush();
        }
    }

    /// Executes the requests in `in` on this thread.
    private void work(Channel channel, Input in) {
        Output out = SHARED.get().output;
        Protocol.Outcome outcome = run(in, out, false);
        if (out.length() > PIECE_BYTES_MAX) {
            keep(in);
            leave(channel, out.detach(), outcome);
            return;
        }
        ByteBuf answers = out.take(channel.alloc(), PIECE_BYTES_MAX);
        if (answers != null) {
            server.metrics().bytesWritten.add(answers.readableBytes());
            sentBytes += answers.readableBytes();
            tellWritten(answers);
        }
        if (outcome == Protocol.Outcome.CLOSE) {
            in.clear();
            end(channel, answers);
            return;
        }
        if (answers != null) {
            ChannelFuture _ = channel.write(answers, channel.voidPromise());
            unflushed = true;
        }
        keep(in);
        switch (outcome) {
            case MAY_BLOCK -> leave(channel, new Output(), outcome);
            case FULL -> pause(channel);
            default -> {
                if (ending) {
                    end(channel, null);
                }
            }
        }
    }

    private void tellWritten(ByteBuf answers) {
        Protocol spoken = protocol;
        if (spoken != null) {
            spoken.client().values().wrote(answers.readableBytes());
        }
    }

    /// Keeps the unread rest of `in` with the connection.
    @SuppressWarnings("ReferenceEquality") // the very one
    private void keep(Input in) {
        if (in.length() == 0) {
            held = null;
            in.clear();
        } else if (in != held) {
            Input own = new Input(in.length());
            own.take(in);
            held = own;
        }
    }

    private Protocol.Outcome run(Input in, Output out, boolean mayBlock) {
        if (in.length() == 0) {
            return Protocol.Outcome.WAITING;
        }
        Protocol spoken = protocol;
        if (spoken == null) {
            spoken = listener.protocolOf(in, server, peer);
            protocol = spoken;
        }
        try {
            Protocol.Outcome outcome = spoken.run(in, out, mayBlock);
            spoken.client().rest();
            return outcome;
        } catch (RuntimeException e) { // a waiting client must not wait for ever
            return failed(e);
        } catch (OutOfMemoryError | StackOverflowError e) { // other connections go on
            out.clear();
            return failed(e);
        }
    }

    private Protocol.Outcome failed(Throwable cause) {
        server.metrics().failures.increment();
        server.log()
                .failed(
                        "A request failed and its connection was closed",
                        cause,
                        "address",
                        peer.address(),
                        "listener",
                        listener.label());
        return Protocol.Outcome.CLOSE;
    }

    /// Enough is written for now: other connections have their turn, and the client has time to read.
    private void pause(Channel channel) {
        paused = true;
        tookNanos = System.nanoTime();
        sends = true;
        channel.flush();
        unflushed = false;
        if (channel.isWritable()) {
            channel.eventLoop().execute(() -> resume(channel));
        }
    }

    private void resume(Channel channel) {
        if (paused && !gone) {
            paused = false;
            tookNanos = System.nanoTime();
            sends = false;
            goOn(channel);
        }
    }

    /// Processes the bytes received meanwhile.
    private void goOn(Channel channel) {
        try {
            Input in = held == null ? SHARED.get().input : held;
            takeIn(channel, in);
            work(channel, in);
        } catch (RuntimeException | Error e) { // netty handles errors of its own calls itself
            fail(channel, e);
        }
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    private void takeIn(Channel channel, Input in) {
        int taken = 0;
        for (ByteBuf bytes = inbox.poll(); bytes != null; bytes = inbox.poll()) {
            taken += bytes.readableBytes();
            in.add(bytes);
        }
        if (queuedBytes.addAndGet(-taken) <= QUEUED_BYTES_MAX && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    /// Hands the rest to a virtual thread.
    ///
    /// @param unsent answers that are to be sent first
    /// @param before outcome of the requests so far
    private void leave(Channel channel, Output unsent, Protocol.Outcome before) {
        away = true;
        waiting = new Waiting();
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
        Input in = held == null ? new Input() : held;
        held = in;
        Waiting wait = waiting;
        server.execute(() -> workAway(channel, in, wait, unsent, before));
    }

    /// Executes requests until there are none, on a thread that may wait, and returns the connection in any case.
    private void workAway(
            Channel channel, Input in, Waiting wait, Output out, Protocol.Outcome before) {
        Protocol.Outcome outcome = Protocol.Outcome.CLOSE;
        try {
            sendPieces(channel, out, wait);
            outcome = before == Protocol.Outcome.CLOSE ? before : runAway(channel, in, wait, out);
        } catch (RuntimeException | Error e) {
            outcome = failed(e);
        } finally {
            sendBack(channel, in, outcome == Protocol.Outcome.CLOSE);
        }
    }

    /// Sends answers, each piece when the client has read enough of the earlier ones.
    private void sendPieces(Channel channel, Output out, Waiting wait) {
        while (!gone) {
            ByteBuf piece = out.take(channel.alloc(), PIECE_BYTES_MAX);
            if (piece == null) {
                break;
            }
            server.metrics().bytesWritten.add(piece.readableBytes());
            sentBytes += piece.readableBytes();
            tellWritten(piece);
            ChannelFuture _ = channel.writeAndFlush(piece, channel.voidPromise());
            awaitWritable(channel, wait);
        }
        Protocol spoken = protocol;
        if (spoken != null) {
            spoken.sent();
        }
    }

    private Protocol.Outcome runAway(Channel channel, Input in, Waiting wait, Output out) {
        Protocol.Outcome outcome = Protocol.Outcome.WAITING;
        while (!gone) {
            outcome = run(in, out, true);
            sendPieces(channel, out, wait);
            if (outcome == Protocol.Outcome.CLOSE) {
                break;
            }
            if (outcome == Protocol.Outcome.WAITING) {
                if (inbox.isEmpty()) {
                    break;
                }
                takeIn(channel, in);
            }
        }
        return outcome;
    }

    private void sendBack(Channel channel, Input in, boolean close) {
        try {
            channel.eventLoop().execute(() -> comeBack(channel, in, close));
        } catch (RejectedExecutionException e) { // the server has ended meanwhile
            release();
        }
    }

    private void comeBack(Channel channel, Input in, boolean close) {
        away = false;
        waiting = null;
        if (gone) {
            release();
        } else if (close) {
            in.clear();
            end(channel, null);
        } else {
            keep(in);
            goOn(channel);
        }
    }

    private void awaitWritable(Channel channel, Waiting wait) {
        wait.lock.lock();
        try {
            if (!channel.isWritable()) {
                tookNanos = System.nanoTime();
                sends = true;
            }
            while (!channel.isWritable() && !gone) {
                wait.changed.awaitUninterruptibly();
            }
            tookNanos = System.nanoTime();
        } finally {
            sends = false;
            wait.lock.unlock();
        }
    }

    private void wake() {
        Waiting wait = waiting;
        if (wait != null) {
            wait.lock.lock();
            try {
                wait.changed.signalAll();
            } finally {
                wait.lock.unlock();
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        wake();
        Channel channel = context.channel();
        if (paused && channel.isWritable()) {
            channel.eventLoop().execute(() -> resume(channel));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof IdleStateEvent idle) {
            if (isSilent(context.channel(), idle)) {
                server.metrics().idleClosed.increment();
                close(context.channel());
            }
        } else if (event == ChannelInputShutdownEvent.INSTANCE) {
            Protocol spoken = protocol;
            if (listener == Listener.HTTP && spoken != null) {
                spoken.client().leave(); // a client of HTTP that ends its half has gone
            }
            end(context.channel()); // no more requests come; the received ones are answered
        } else {
            super.userEventTriggered(context, event);
        }
    }

    /// Whether the connection is idle. A client that waits for an answer or reads it is not silent: while bytes are
    /// being sent, the first event only begins to watch the progress. Another event comes if there has been none since.
    private boolean isSilent(Channel channel, IdleStateEvent idle) {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        boolean sends = out != null && !out.isEmpty();
        return sends ? !idle.isFirst() : !away;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(context.channel(), cause);
    }

    /// Ends the connection, and clears the shared buffers for the next one.
    private void fail(Channel channel, Throwable cause) {
        Shared shared = SHARED.get();
        shared.input.clear();
        shared.output.clear();
        close(channel);
        if (isOfTls(cause)) {
            tellHandshake(cause);
        } else if (!(cause instanceof IOException)) { // a client that goes away is nothing to note
            server.log()
                    .failed(
                            "A connection failed and was closed",
                            cause,
                            "address",
                            peer.address(),
                            "listener",
                            listener.label());
        }
    }

    private static boolean isOfTls(Throwable cause) {
        return cause instanceof SSLException
                || (cause instanceof DecoderException && cause.getCause() instanceof SSLException);
    }

    /// Logs a failed handshake, without the message of `cause`: it may quote input of the client, such as a
    /// password.
    private void tellHandshake(Throwable cause) {
        Throwable reason = cause instanceof SSLException ? cause : cause.getCause();
        server.metrics().handshakeFailures.increment();
        server.log()
                .warned(
                        "A TLS connection failed and was closed",
                        "address",
                        peer.address(),
                        "listener",
                        listener.label(),
                        "reason",
                        reason instanceof NotSslRecordException
                                ? "The client does not speak TLS"
                                : String.valueOf(reason).replaceAll(":.*", ""));
    }

    /// Closes the connection if its client is slow and holds memory for which others wait; may be called by any
    /// thread.
    void closeIfStalled(Channel channel) {
        Protocol spoken = protocol;
        Client client = spoken == null ? null : spoken.client();
        if (client == null
                || gone
                || !client.values().isStalled(heardNanos, tookNanos, away, sends)) {
            return;
        }
        server.metrics().stalledClosed.increment();
        server.log()
                .warned(
                        "A connection was closed: its client was slow, and others waited for its memory",
                        "address",
                        peer.address(),
                        "listener",
                        listener.label());
        close(channel);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gone = true;
        Protocol spoken = protocol;
        if (spoken != null) {
            spoken.client().leave();
        }
        wake();
        server.closed(this);
        if (!away) {
            release();
        }
    }

    /// Closes without waiting: [#channelInactive] does the rest.
    static void close(Channel channel) {
        ChannelFuture _ = channel.close();
    }

    /// Sends `last` and closes; nothing more is read.
    private void end(Channel channel, @Nullable ByteBuf last) {
        gone = true;
        channel.writeAndFlush(last == null ? Unpooled.EMPTY_BUFFER : last)
                .addListener(ChannelFutureListener.CLOSE);
        release();
    }

    /// Frees the buffers.
    private void release() {
        for (ByteBuf bytes = inbox.poll(); bytes != null; bytes = inbox.poll()) {
            bytes.release();
        }
        held = null;
        Protocol spoken = protocol;
        if (!released && spoken != null) {
            spoken.close();
        }
        released = true;
        protocol = null;
    }

    /// Ends the connection when the received requests are done.
    void end(Channel channel) {
        channel.eventLoop()
                .execute(() -> {
                    ending = true;
                    if (!away && !paused && !gone) {
                        end(channel, null);
                    }
                });
    }
}
