package dev.oriel.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/// Limits of this process's memory.
final class MachineLimits {
    private MachineLimits() {}

    /// The limit of the heap (`-Xmx`) in bytes.
    static long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    /// The limit of direct memory (`-XX:MaxDirectMemorySize`) in bytes: as much as the heap, unless it is given.
    static long directBytes() {
        @Nullable HotSpotDiagnosticMXBean options =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long given =
                options == null
                        ? 0
                        : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return given > 0 ? given : heapBytes();
    }

    /// Bytes of direct memory in use.
    static long directBytesTaken() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
