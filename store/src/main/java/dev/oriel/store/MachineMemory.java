package dev.oriel.store;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The memory of the machine, or what a container leaves of it to this process.
final class MachineMemory {
    private MachineMemory() {}

    /// In bytes; as much as can be where the JVM cannot tell.
    static long bytes() {
        try {
            long bytes =
                    ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                            .getTotalMemorySize();
            return bytes > 0 ? bytes : Long.MAX_VALUE;
        } catch (NoClassDefFoundError e) { // a JVM without the module jdk.management
            return Long.MAX_VALUE;
        }
    }
}
