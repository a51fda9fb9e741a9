package dev.oriel.sql.measure;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock that costs a memory access to read, and the daemon thread that moves it on: every 20 ms
/// while any session of the JVM runs a statement, once a second when none does. At each tick it tells
/// every [Watcher]. It starts with the first of them, and ends when the last is garbage.
///
/// Nobody waits for it: a thread that begins a statement reads [#now], and at most unparks it.
public final class CoarseClock implements Runnable {
    public static final long TICK_NANOS = 20_000_000;

    /// So many ticks without a statement, and it goes to sleep.
    private static final int TICKS_IDLE_MAX = 50;

    /// Of [System#nanoTime()]. Plain on purpose, as is `asleep`: somewhat late is as good.
    private static long now = System.nanoTime();

    private static boolean asleep = true;
    private static @Nullable Thread thread;
    private static final List<WeakReference<Watcher>> WATCHERS = new CopyOnWriteArrayList<>();

    /// Whoever looks at sessions at each tick.
    public interface Watcher {
        /// Looks. Whether any statement runs.
        boolean tick(long now);
    }

    private CoarseClock() {}

    /// The time, at most two ticks old for whoever has called [#wake()] since it began to run.
    public static long now() {
        return now;
    }

    /// To be called where a statement begins.
    public static void wake() {
        if (asleep) {
            wakeUp();
        }
    }

    private static synchronized void wakeUp() {
        asleep = false;
        now = System.nanoTime();
        LockSupport.unpark(thread);
    }

    public static synchronized void add(Watcher watcher) {
        WATCHERS.add(new WeakReference<>(watcher));
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("oriel-window").unstarted(new CoarseClock());
            thread.start();
        }
    }

    @Override
    public void run() {
        int idleTicks = 0;
        long rest = TICK_NANOS;
        while (goesOn()) {
            LockSupport.parkNanos(this, rest);
            now = System.nanoTime();
            boolean active = false;
            for (WeakReference<Watcher> each : WATCHERS) {
                Watcher watcher = each.get();
                active |= watcher != null && watcher.tick(now);
            }
            idleTicks = active ? 0 : idleTicks + 1;
            if (asleep || idleTicks < TICKS_IDLE_MAX) {
                rest = asleep ? TimeUnit.SECONDS.toNanos(1) : TICK_NANOS;
            } else {
                idleTicks = 0;
                asleep = true; // whoever begins now and does not see it yet has a clock that is
                // right
                rest = TimeUnit.SECONDS.toNanos(1);
            }
        }
    }

    private static synchronized boolean goesOn() {
        WATCHERS.removeIf(watcher -> watcher.get() == null);
        if (WATCHERS.isEmpty()) {
            thread = null;
            asleep = true;
            return false;
        }
        return true;
    }
}
