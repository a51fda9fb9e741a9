package dev.oriel.server;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Whether the network threads work: each has to note the time every second.
final class Pulse {
    private static final long BEAT_MILLIS = 1_000;

    /// Time without a note after which a thread is taken for dead.
    static final long DEAD_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongSupplier nanos;
    private final List<Beat> beats = new ArrayList<>();

    private static final class Beat {
        final EventExecutor thread;
        volatile long atNanos;

        Beat(EventExecutor thread, long nowNanos) {
            this.thread = thread;
            this.atNanos = nowNanos;
        }
    }

    Pulse(EventLoopGroup threads, LongSupplier nanos) {
        this.nanos = nanos;
        for (EventExecutor thread : threads) {
            Beat beat = new Beat(thread, nanos.getAsLong());
            beats.add(beat);
            var _ =
                    thread.scheduleWithFixedDelay(
                            () -> beat.atNanos = nanos.getAsLong(),
                            BEAT_MILLIS,
                            BEAT_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    /// Number of threads that do not answer.
    int deadCount() {
        int dead = 0;
        for (Beat beat : beats) {
            dead += isDead(beat) ? 1 : 0;
        }
        return dead;
    }

    /// Whether `thread` does not answer.
    @SuppressWarnings("ReferenceEquality") // the very one
    boolean isDead(EventLoop thread) {
        return beats.stream().anyMatch(beat -> beat.thread == thread && isDead(beat));
    }

    private boolean isDead(Beat beat) {
        return beat.thread.isTerminated() || nanos.getAsLong() - beat.atNanos > DEAD_NANOS;
    }
}
