package dev.oriel.profiler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// The processor time of threads, as the operating system counts it. Loaded only if the module `java.management`
/// is present.
final class ThreadCpu {
    private static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();

    private ThreadCpu() {}

    /// Whether the JVM can read the processor time of a thread.
    static boolean isKnown() {
        return BEAN.isCurrentThreadCpuTimeSupported() && BEAN.isThreadCpuTimeEnabled();
    }

    /// Nanoseconds that this platform thread has had a processor.
    static long currentNanos() {
        return BEAN.getCurrentThreadCpuTime();
    }

    /// Nanoseconds that another platform thread has had a processor; -1 if it has ended.
    static long nanos(Thread thread) {
        return BEAN.getThreadCpuTime(thread.threadId());
    }
}
