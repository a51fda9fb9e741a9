package dev.oriel.store.memory;

import java.lang.management.ManagementFactory;

/// The memory of the machine, or the container's limit for this process.
public final class MachineMemory {
    private MachineMemory() {}

    /// In bytes; `Long.MAX_VALUE` if the JVM cannot tell, for example without the module `jdk.management`.
    public static long bytes() {
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
