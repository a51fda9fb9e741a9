package dev.oriel.server;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.oriel.store.UsageException;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/// File descriptors of this process: how many it may have, and how many connections fit in them.
final class Descriptors {
    /// Descriptors for files of the database, which connections do not get.
    static final int FILES = 100;

    /// Least number of connections; a server for fewer is refused.
    private static final int CONNECTIONS_MIN = 16;

    private Descriptors() {}

    /// Number of open descriptors; -1 if the system does not tell.
    static long open() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : -1;
    }

    /// The limit of this process (`ulimit -n`); -1 if the system does not tell.
    static long limit() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : -1;
    }

    /// The number of clients to serve: `wanted`, or fewer if the limit leaves no more.
    ///
    /// @param others descriptors for connections that are not counted in `wanted`
    /// @throws UsageException if the limit leaves next to none
    static int connections(int wanted, int others, ServerLog log) {
        long limit = limit();
        if (limit < 0) {
            return wanted;
        }
        long left = limit - open() - FILES - others;
        if (left >= wanted) {
            return wanted;
        }
        String needed = Long.toString(wanted + limit - left);
        if (left < CONNECTIONS_MIN) {
            throw new UsageException(
                    "The process may open too few files to serve clients; raise `ulimit -n`",
                    "limit=" + limit + " needed=" + needed);
        }
        log.warned(
                "The process may open too few files for --connections, so fewer clients are served;"
                        + " raise `ulimit -n` or lower --connections",
                "limit",
                Long.toString(limit),
                "needed",
                needed,
                "connections",
                Long.toString(left));
        return (int) left;
    }

    /// Makes the class loader open all its files now. It can open none when the descriptors have run out, and it
    /// never looks again for a class that it did not find once.
    static void openClassPath() {
        try {
            ClassLoader.getSystemResources("dev/oriel/server/none")
                    .asIterator()
                    .forEachRemaining(none -> {});
        } catch (IOException e) {
            throw new UsageException("The class path cannot be read", "", e);
        }
    }
}
