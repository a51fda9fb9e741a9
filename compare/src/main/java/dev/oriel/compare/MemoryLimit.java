package dev.oriel.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A control group of Linux that bounds the memory of a process, its part of the page cache included. It may need
/// permission.
public final class MemoryLimit implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private final Path group;

    private MemoryLimit(Path group) {
        this.group = group;
    }

    /// Makes a group of `bytesMax`, or returns null if the system has none to give.
    public static @Nullable MemoryLimit of(long bytesMax) {
        boolean second = Files.exists(ROOT.resolve("cgroup.controllers"));
        Path parent = second ? ROOT : ROOT.resolve("memory");
        String file = second ? "memory.max" : "memory.limit_in_bytes";
        Path group = parent.resolve("oriel-bench-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(group);
        } catch (IOException e) {
            return null; // not Linux, or not permitted: the caller reports that it was left out
        }
        MemoryLimit limit = new MemoryLimit(group);
        try {
            Files.writeString(group.resolve(file), Long.toString(bytesMax));
            return limit;
        } catch (IOException e) {
            limit.close();
            return null;
        }
    }

    /// The words before a command that make it a member of the group.
    List<String> prefix() {
        Path members = group.resolve("cgroup.procs");
        return List.of("/bin/sh", "-c", "echo $$ >" + members + " && exec \"$@\"", "sh");
    }

    /// Removes the group. Its processes have ended, but the system may need a moment to see it.
    @Override
    public void close() {
        for (int attempt = 0; !group.toFile().delete() && attempt < 50; attempt++) {
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
