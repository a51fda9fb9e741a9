package dev.oriel.sql.measure;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock that a daemon thread advances every millisecond, and that costs a memory access to read. It runs while a
/// profile that SQL has started runs, or a slow statement is timed. It is fine enough to assign a sample to an
/// operator. Two readings of the real clock a call would make operators look slower than they are.
public final class OperatorTicks implements Runnable {
    /// The profile or run that needs the clock.
    public interface Profiled {
        boolean ended();
    }

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static volatile long now = System.nanoTime();

    /// Profile or run to tick for; the thread ends when it has ended or is garbage.
    private final WeakReference<Profiled> profiled;

    private OperatorTicks(Profiled profiled) {
        this.profiled = new WeakReference<>(profiled);
    }

    /// Ticks until `profiled` has ended.
    public static void start(Profiled profiled) {
        now = System.nanoTime();
        Thread.ofPlatform().daemon().name("oriel-profile-ticks").start(new OperatorTicks(profiled));
    }

    /// Time of [System#nanoTime()] at the last tick, at most some milliseconds ago while it ticks.
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
