package dev.oriel.sql.measure;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock that costs a memory access to read, and the daemon thread that advances it. It ticks every 20 ms while
/// any session of the JVM runs a statement, else once a second. Each tick calls every [Watcher]. The thread starts
/// with the first watcher, and ends when the last is garbage. A watcher that fails is called no more, unless memory
/// was short. The clock goes on for the others.
///
/// It makes no thread wait: a thread that begins a statement reads [#now], and at most unparks it.
public final class CoarseClock implements Runnable {
    public static final long TICK_NANOS = 20_000_000;

    /// Number of ticks without a statement after which it goes to sleep.
    private static final int TICKS_IDLE_MAX = 50;

    /// Time of [System#nanoTime()] at the last tick. Plain on purpose, as is `asleep`: a stale value does no harm.
    private static long now = System.nanoTime();

    private static boolean asleep = true;
    private static @Nullable Thread thread;
    private static final List<WeakReference<Watcher>> WATCHERS = new CopyOnWriteArrayList<>();

    /// Called at each tick, to look at sessions.
    public interface Watcher {
        /// Looks; returns whether any statement runs.
        boolean tick(long now);
    }

    private CoarseClock() {}

    /// The time, at most two ticks old for a thread that called [#wake()] when it began to run.
    public static long now() {
        return now;
    }

    /// To be called at the beginning of a statement.
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
                active |= watcher != null && ticked(watcher, each);
            }
            idleTicks = active ? 0 : idleTicks + 1;
            if (asleep || idleTicks < TICKS_IDLE_MAX) {
                rest = asleep ? TimeUnit.SECONDS.toNanos(1) : TICK_NANOS;
            } else {
                idleTicks = 0;
                asleep =
                        true; // a thread that begins now and misses this still reads the right time
                rest = TimeUnit.SECONDS.toNanos(1);
            }
        }
    }

    private static boolean ticked(Watcher watcher, WeakReference<Watcher> reference) {
        try {
            return watcher.tick(now);
        } catch (OutOfMemoryError scarce) {
            return false; // the next tick may have memory
        } catch (RuntimeException | Error e) {
            WATCHERS.remove(reference);
            // An application's class loader that is closed before its database has no more classes
            // to give.
            System.getLogger("dev.oriel")
                    .log(
                            e instanceof LinkageError ? Level.DEBUG : Level.WARNING,
                            "Statements of a database are counted no more",
                            e);
            return false;
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
