package dev.oriel.server;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// Gives memory back to the system after long values. Garbage keeps their heap and native memory otherwise, as
/// nothing else needs a collection. The C library keeps freed memory too. For a process that only serves. Used by
/// one thread at a time.
final class QuietMemory {
    /// Pause without a long value after which memory is given back.
    static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(20);

    /// Bytes of long values that are worth a collection.
    static final long BYTES_MIN = 16 << 20;

    private static final int COLLECTIONS_MAX = 6;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier longValues;
    private final Runnable giveBack;
    private final LongSupplier nanos;
    private long seen;
    private long sinceNanos;
    private long rested;

    /// The sum at the last collection that followed the freeing of other memory.
    private long restedFreed;

    /// Whether memory was freed that a collection is to give back.
    private boolean freed;

    /// @param longValues bytes of the long values of all requests so far
    /// @param giveBack see [#collect]
    QuietMemory(LongSupplier longValues, Runnable giveBack, LongSupplier nanos) {
        this.longValues = longValues;
        this.giveBack = giveBack;
        this.nanos = nanos;
        this.sinceNanos = nanos.getAsLong();
    }

    /// Gives memory back if there were long values, and none for long enough.
    ///
    /// @param more whether other memory was freed now: it is given back too, once after long values
    void look(boolean more) {
        long now = nanos.getAsLong();
        long total = longValues.getAsLong();
        if (total != seen) {
            seen = total;
            sinceNanos = now;
        }
        freed |= more && total - restedFreed >= BYTES_MIN;
        boolean due = freed || total - rested >= BYTES_MIN;
        if (due && now - sinceNanos >= QUIET_NANOS) {
            rested = total;
            restedFreed = freed ? total : restedFreed;
            freed = false;
            giveBack.run();
        }
    }

    /// Collects garbage and gives free memory to the system. The heap shrinks step by step, a collection each; the
    /// pauses let native memory be freed, which another thread does.
    static void collect() {
        long before = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS_MAX && Runtime.getRuntime().totalMemory() < before; i++) {
            before = Runtime.getRuntime().totalMemory();
            System.gc();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (System.getProperty("os.name", "").equals("Linux")) {
            trimNativeHeap();
        }
    }

    /// malloc_trim(3); other C libraries than glibc have none, and keep less.
    @SuppressWarnings("restricted") // the launcher allows native access
    private static void trimNativeHeap() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> found = linker.defaultLookup().find("malloc_trim");
        if (found.isEmpty()) {
            return;
        }
        MethodHandle trim =
                linker.downcallHandle(
                        found.get(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        try {
            int _ = (int) trim.invokeExact(0L);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) { // declared by method handles alone
            throw new IllegalStateException(e);
        }
    }
}
