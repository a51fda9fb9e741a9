package dev.oriel.store;

import java.lang.management.ManagementFactory;

/// The memory of the machine, or what a container leaves of it to this process.
final class MachineMemory {
    private MachineMemory() {}

    /// In bytes; as much as can be where the JVM cannot tell, as one without the module `jdk.management`.
    static long bytes() {
        try {
            Object bytes =
                    Class.forName("com.sun.management.OperatingSystemMXBean")
                            .getMethod("getTotalMemorySize")
                            .invoke(ManagementFactory.getOperatingSystemMXBean());
            return bytes instanceof Long known && known > 0 ? known : Long.MAX_VALUE;
        } catch (ReflectiveOperationException | NoClassDefFoundError e) {
            return Long.MAX_VALUE;
        }
    }
}
