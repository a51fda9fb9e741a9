package dev.oriel.sql.measure;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock that a daemon thread moves on every millisecond while a profile runs that SQL has
/// started, or a slow statement is timed, and that costs a memory access to read: fine enough to say which operator a sample
/// belongs to, where two readings of the real clock a call would make the operators look slower
/// than they are.
public final class OperatorTicks implements Runnable {
    /// What is profiled.
    public interface Profiled {
        boolean ended();
    }

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static volatile long now = System.nanoTime();

    /// The thread ends when it has ended or is garbage.
    private final WeakReference<Profiled> profiled;

    private OperatorTicks(Profiled profiled) {
        this.profiled = new WeakReference<>(profiled);
    }

    /// Goes on ticking until that has ended.
    public static void start(Profiled profiled) {
        now = System.nanoTime();
        Thread.ofPlatform().daemon().name("oriel-profile-ticks").start(new OperatorTicks(profiled));
    }

    /// Of [System#nanoTime()], at most some milliseconds ago while it ticks.
    static long now() {
        return now;
    }

    @Override
    public void run() {
        while (goesOn(profiled.get())) {
            LockSupport.parkNanos(this, TICK_NANOS);
            now = System.nanoTime();
        }
    }

    private static boolean goesOn(@Nullable Profiled running) {
        return running != null && !running.ended();
    }
}
