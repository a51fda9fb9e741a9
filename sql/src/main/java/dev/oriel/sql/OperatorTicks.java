package dev.oriel.sql;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock that a daemon thread moves on every millisecond while a profile runs that SQL has
/// started, and that costs a memory access to read: fine enough to say which operator a sample
/// belongs to, where two readings of the real clock a call would make the operators look slower
/// than they are.
final class OperatorTicks implements Runnable {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static volatile long now = System.nanoTime();

    /// The profile's; the thread ends when it has ended or is garbage.
    private final WeakReference<StatementTimeline> timeline;

    private OperatorTicks(StatementTimeline timeline) {
        this.timeline = new WeakReference<>(timeline);
    }

    /// Goes on ticking until the timeline is sorted, which is its end.
    static void start(StatementTimeline timeline) {
        now = System.nanoTime();
        Thread.ofPlatform().daemon().name("oriel-profile-ticks").start(new OperatorTicks(timeline));
    }

    /// Of [System#nanoTime()], at most some milliseconds ago while it ticks.
    static long now() {
        return now;
    }

    @Override
    public void run() {
        while (goesOn(timeline.get())) {
            LockSupport.parkNanos(this, TICK_NANOS);
            now = System.nanoTime();
        }
    }

    private static boolean goesOn(@Nullable StatementTimeline running) {
        return running != null && !running.ended();
    }
}
