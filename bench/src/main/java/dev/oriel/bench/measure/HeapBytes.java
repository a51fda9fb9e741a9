package dev.oriel.bench.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// The bytes allocated on the heap.
final class HeapBytes {
    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /// Method of a newer JDK than the oldest that a subject runs on; null before it.
    private static final @Nullable Method TOTAL = total();

    private HeapBytes() {}

    private static @Nullable Method total() {
        try {
            return ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /// By all threads so far, also ended ones; before JDK 21 by live threads only.
    static long allocated() {
        if (TOTAL != null) {
            try {
                return (long) TOTAL.invoke(THREADS);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("The JVM does not tell what was allocated", e);
            }
        }
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
