package dev.oriel.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One client. Requests are done one after the other, in their order, and the answers of all that came
/// together go out together.
///
/// Reads are done on the thread that the bytes came on, because nothing makes them wait. A request that
/// may wait, for a lock or for the disk, is handed to a virtual thread with all that follow it, until
/// there are no more; `busy` says that somebody is at it. Who sends faster than it is served, or does
/// not read its answers, is not read from any more until it has caught up.
final class Connection extends ChannelInboundHandlerAdapter {
    /// So many bytes may wait to be looked at before no more are read.
    private static final int QUEUED_BYTES_MAX = 1 << 20;

    private final Listener listener;
    private final OrielServer server;
    private final Queue<ByteBuf> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queuedBytes = new AtomicInteger();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // What belongs to whoever is busy.
    private final Input input = new Input();
    private @Nullable Output output;
    private @Nullable Protocol protocol;

    private volatile boolean gone;
    private volatile boolean ending;

    Connection(OrielServer server, Listener listener) {
        this.server = server;
        this.listener = listener;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        output = new Output(context.alloc());
        server.opened(this, context.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        server.metrics().bytesRead.add(bytes.readableBytes());
        if (queuedBytes.addAndGet(bytes.readableBytes()) > QUEUED_BYTES_MAX) {
            context.channel().config().setAutoRead(false);
        }
        inbox.add(bytes);
        if (gone) {
            discard(); // what was done with the connection before may have missed it
            return;
        }
        if (busy.compareAndSet(false, true)) {
            work(context.channel(), false);
        }
    }

    /// Does requests until there are none. Whoever calls this is busy.
    private void work(Channel channel, boolean mayBlock) {
        while (true) {
            takeIn(channel);
            Protocol.Outcome outcome = gone ? Protocol.Outcome.WAITING : run(mayBlock);
            send(channel, outcome == Protocol.Outcome.CLOSE);
            switch (outcome) {
                case CLOSE -> {
                    gone = true; // and busy for ever: nothing more is read
                    release();
                    return;
                }
                case MAY_BLOCK, FULL -> {
                    if (!mayBlock) {
                        server.execute(() -> work(channel, true));
                        return;
                    }
                    awaitWritable(channel);
                }
                case WAITING -> {
                    if (ending) {
                        close(channel);
                    }
                    if (mayBlock) {
                        awaitWritable(channel);
                    }
                    if (gone) {
                        release();
                        return;
                    }
                    busy.set(false);
                    if ((inbox.isEmpty() && !gone) || !busy.compareAndSet(false, true)) {
                        return;
                    }
                }
            }
        }
    }

    private Protocol.Outcome run(boolean mayBlock) {
        Output out = output;
        if (input.length() == 0 || out == null) {
            return Protocol.Outcome.WAITING;
        }
        Protocol spoken = protocol;
        if (spoken == null) {
            spoken = listener.protocolOf(input, server);
            protocol = spoken;
        }
        try {
            return spoken.run(input, out, mayBlock);
        } catch (RuntimeException e) { // whoever waits for an answer must not wait for ever
            server.metrics().failures.increment();
            server.log().failed("A request failed and its connection was closed", e);
            return Protocol.Outcome.CLOSE;
        }
    }

    private void takeIn(Channel channel) {
        int taken = 0;
        for (ByteBuf bytes = inbox.poll(); bytes != null; bytes = inbox.poll()) {
            taken += bytes.readableBytes();
            input.add(bytes);
        }
        if (queuedBytes.addAndGet(-taken) <= QUEUED_BYTES_MAX && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    private void send(Channel channel, boolean close) {
        Output out = output;
        ByteBuf answers = out == null ? null : out.take();
        if (answers != null) {
            server.metrics().bytesWritten.add(answers.readableBytes());
        }
        if (close) {
            channel.writeAndFlush(answers == null ? io.netty.buffer.Unpooled.EMPTY_BUFFER : answers)
                    .addListener(ChannelFutureListener.CLOSE);
        } else if (answers != null) {
            ChannelFuture _ = channel.writeAndFlush(answers, channel.voidPromise());
        }
    }

    private void awaitWritable(Channel channel) {
        lock.lock();
        try {
            while (!channel.isWritable() && !gone) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        wake();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof IdleStateEvent) {
            server.metrics().idleClosed.increment();
            close(context.channel());
        } else {
            super.userEventTriggered(context, event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) { // a client that goes away is nothing to write about
            server.log().failed("A connection failed and was closed", cause);
        }
        close(context.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        gone = true;
        wake();
        server.closed(this);
        if (busy.compareAndSet(false, true)) {
            release();
        }
    }

    /// Nobody waits for it: what follows comes by [#channelInactive].
    static void close(Channel channel) {
        ChannelFuture _ = channel.close();
    }

    /// What is here is not needed any more; `busy` stays.
    private void release() {
        discard();
        Output out = output;
        if (out != null) {
            out.release();
        }
        Protocol spoken = protocol;
        if (spoken != null) {
            protocol = null;
            spoken.close();
        }
    }

    private void discard() {
        for (ByteBuf bytes = inbox.poll(); bytes != null; bytes = inbox.poll()) {
            bytes.release();
        }
    }

    /// Has the connection end when the requests that have come are done.
    void end(Channel channel) {
        ending = true;
        if (busy.compareAndSet(false, true)) {
            channel.eventLoop().execute(() -> work(channel, false));
        }
    }
}
