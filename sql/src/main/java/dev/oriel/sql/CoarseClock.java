package dev.oriel.sql;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock that costs a memory access to read, and the daemon thread that moves it on: every 20 ms
/// while any session of the JVM runs a statement, once a second when none does. At each tick it lets
/// every [Watch] look at its sessions. It starts with the first watch, and ends when the last is
/// garbage.
///
/// Nobody waits for it: a thread that begins a statement reads [#now], and at most unparks it.
final class CoarseClock implements Runnable {
    static final long TICK_NANOS = 20_000_000;

    /// So many ticks without a statement, and it goes to sleep.
    private static final int TICKS_IDLE_MAX = 50;

    /// Of [System#nanoTime()]. Plain on purpose, as is `asleep`: somewhat late is as good.
    private static long now = System.nanoTime();

    private static boolean asleep = true;
    private static @Nullable Thread thread;
    private static final List<WeakReference<Watch>> WATCHES = new CopyOnWriteArrayList<>();

    private CoarseClock() {}

    /// The time, at most two ticks old for whoever has called [#wake()] since it began to run.
    static long now() {
        return now;
    }

    /// To be called where a statement begins.
    static void wake() {
        if (asleep) {
            wakeUp();
        }
    }

    private static synchronized void wakeUp() {
        asleep = false;
        now = System.nanoTime();
        LockSupport.unpark(thread);
    }

    static synchronized void add(Watch watch) {
        WATCHES.add(new WeakReference<>(watch));
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
            for (WeakReference<Watch> each : WATCHES) {
                Watch watch = each.get();
                active |= watch != null && watch.tick(now);
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
        WATCHES.removeIf(watch -> watch.get() == null);
        if (WATCHES.isEmpty()) {
            thread = null;
            asleep = true;
            return false;
        }
        return true;
    }
}
