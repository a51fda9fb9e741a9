package dev.oriel.kv;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/// How much this thread has allocated so far, asked by name, because the interface that knows it belongs
/// to a module that this one does not read.
final class Allocations {
    private Allocations() {}

    static long bytes() {
        try {
            ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
            return (long)
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(threads, "CurrentThreadAllocatedBytes");
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
