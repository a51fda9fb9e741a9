package dev.oriel.profiler;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// How many bytes threads have allocated, as the JVM counts them. The counters are an addition of
/// HotSpot to the standard bean, reached by method handles so that a JVM without it lacks only them.
/// Loaded only if the module `java.management` is present.
final class ThreadAllocation {
    private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    private static final MethodHandle CURRENT = handle("getCurrentThreadAllocatedBytes");
    private static final MethodHandle TOTAL = handle("getTotalThreadAllocatedBytes");

    private ThreadAllocation() {}

    /// Bytes that this thread has allocated since it began; -1 if the JVM does not tell, as for virtual threads.
    static long currentBytes() {
        try {
            return (long) CURRENT.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("The JVM's count of allocated bytes failed", e);
        }
    }

    /// Bytes that all threads have allocated; -1 if the JVM does not tell.
    static long totalBytes() {
        try {
            return (long) TOTAL.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("The JVM's count of allocated bytes failed", e);
        }
    }

    private static MethodHandle handle(String method) {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            return MethodHandles.publicLookup()
                    .findVirtual(type, method, MethodType.methodType(long.class))
                    .bindTo(BEAN);
        } catch (ReflectiveOperationException | ClassCastException e) {
            return MethodHandles.constant(long.class, -1L);
        }
    }
}
