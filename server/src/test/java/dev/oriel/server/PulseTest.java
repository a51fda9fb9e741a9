package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// A network thread that is stuck or has ended is taken for dead, and one that goes on is not.
final class PulseTest {
    private static final long BEATS_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    private final AtomicLong nanos = new AtomicLong();

    private MultiThreadIoEventLoopGroup threads() {
        return new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    }

    private static void await(Pulse pulse, int dead) {
        long deadline = System.nanoTime() + BEATS_NANOS_MAX;
        while (pulse.deadCount() != dead) {
            assertTrue(System.nanoTime() < deadline, pulse.deadCount() + " are dead, not " + dead);
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void aStuckThreadIsDeadUntilItGoesOn() throws Exception {
        MultiThreadIoEventLoopGroup threads = threads();
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        try {
            Pulse pulse = new Pulse(threads, nanos::get);
            EventLoop victim = (EventLoop) threads.iterator().next();
            victim.execute(() -> {
                stuck.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) { // free too
                    Thread.currentThread().interrupt();
                }
            });
            stuck.await();
            nanos.addAndGet(Pulse.DEAD_NANOS);
            assertFalse(pulse.isDead(victim));
            nanos.incrementAndGet();
            await(pulse, 1); // the other one notes the time soon
            assertTrue(pulse.isDead(victim));
            free.countDown();
            await(pulse, 0);
            assertFalse(pulse.isDead(victim));
        } finally {
            free.countDown();
            threads.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void threadsThatHaveEndedAreDeadAtOnce() throws Exception {
        MultiThreadIoEventLoopGroup threads = threads();
        Pulse pulse = new Pulse(threads, nanos::get);
        assertEquals(0, pulse.deadCount());
        threads.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        await(pulse, 2);
    }
}
