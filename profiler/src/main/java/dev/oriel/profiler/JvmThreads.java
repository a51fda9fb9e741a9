package dev.oriel.profiler;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Processor time of the JVM's own threads, and the time that threads of the program were ready to run and had no
/// processor. -1 is unknown; only Linux reports them.
///
/// @param compilerNanos processor time of the compilers
/// @param gcNanos processor time of the garbage collector and the thread that runs its operations
/// @param otherNanos processor time of other threads of the JVM
/// @param delayNanos time in which threads of the program waited for a processor
public record JvmThreads(long compilerNanos, long gcNanos, long otherNanos, long delayNanos) {
    /// No figure is known.
    public static final JvmThreads UNKNOWN = new JvmThreads(-1, -1, -1, -1);

    private static final File TASKS = new File("/proc/self/task");
    private static final System.Logger LOG = System.getLogger(JvmThreads.class.getName());

    /// Whether the figures are known.
    public boolean isKnown() {
        return compilerNanos >= 0;
    }

    /// Processor time of all threads that are not the program's; 0 if unknown.
    public long cpuNanos() {
        return isKnown() ? compilerNanos + gcNanos + otherNanos : 0;
    }

    /// Processor time and run-queue delay of one thread of the operating system so far.
    ///
    /// @param name its first 15 letters
    record Task(String name, long cpuNanos, long delayNanos) {}

    /// The tasks of this process so far, by thread; empty if the operating system does not report them.
    ///
    /// @param known earlier ones, whose names are known
    static Map<String, Task> tasks(Map<String, Task> known) {
        return tasks(TASKS, known);
    }

    /// @param folder with a folder for each task
    static Map<String, Task> tasks(File folder, Map<String, Task> known) {
        Map<String, Task> tasks = new HashMap<>();
        byte[] buffer = new byte[128];
        String[] numbers = folder.list();
        for (String number : numbers == null ? new String[0] : numbers) {
            try {
                tasks.put(number, task(folder + "/" + number, known.get(number), buffer));
            } catch (IOException | RuntimeException e) {
                // The thread ended during the reading, or the kernel keeps no such figures.
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "A thread of this process cannot be looked at",
                        e);
            }
        }
        return tasks;
    }

    private static Task task(String folder, @Nullable Task then, byte[] buffer) throws IOException {
        String name = then == null ? read(folder + "/comm", buffer) : then.name();
        String stat = read(folder + "/schedstat", buffer);
        int blank = stat.indexOf(' ');
        long cpu = Long.parseLong(stat, 0, blank, 10);
        long delay = Long.parseLong(stat, blank + 1, stat.indexOf(' ', blank + 1), 10);
        return new Task(name, cpu, delay);
    }

    /// The content of a short file of the kernel.
    private static String read(String file, byte[] buffer) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            int length = Math.max(0, in.read(buffer));
            return new String(buffer, 0, length, StandardCharsets.ISO_8859_1).strip();
        }
    }

    /// Processor time of the current thread so far; 0 if the operating system does not report it.
    static long ownCpuNanos() {
        try {
            String stat = read("/proc/thread-self/schedstat", new byte[128]);
            return Long.parseLong(stat, 0, stat.indexOf(' '), 10);
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.TRACE, "The kernel keeps no such figures", e);
            return 0;
        }
    }

    /// The processor time used between two readings. Threads that ended in between are not seen.
    static JvmThreads between(Map<String, Task> before, Map<String, Task> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return UNKNOWN;
        }
        long compiler = 0;
        long gc = 0;
        long other = 0;
        long delay = 0;
        for (Map.Entry<String, Task> entry : after.entrySet()) {
            Task now = entry.getValue();
            Task then = before.getOrDefault(entry.getKey(), new Task(now.name(), 0, 0));
            long cpu = Math.max(0, now.cpuNanos() - then.cpuNanos());
            switch (kind(now.name())) {
                case COMPILER -> compiler += cpu;
                case COLLECTOR -> gc += cpu;
                case OTHER -> other += cpu;
                case PROGRAM -> delay += Math.max(0, now.delayNanos() - then.delayNanos());
            }
        }
        return new JvmThreads(compiler, gc, other, delay);
    }

    private enum Kind {
        COMPILER,
        COLLECTOR,
        OTHER,
        PROGRAM
    }

    private static Kind kind(String name) {
        if (name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")) {
            return Kind.COMPILER;
        }
        for (String start :
                new String[] {
                    "GC Thread", "G1 ", "ZWorker", "ZDriver", "ZDirector", "Shenandoah", "VM Thread"
                }) {
            if (name.startsWith(start)) {
                return Kind.COLLECTOR;
            }
        }
        for (String start :
                new String[] {
                    "VM Periodic",
                    "Signal Dispatch",
                    "Service Thread",
                    "Monitor Deflati",
                    "Notification",
                    "JFR ",
                    "Attach Listener",
                    "Sweeper",
                    "oriel-profile"
                }) {
            if (name.startsWith(start)) {
                return Kind.OTHER;
            }
        }
        return Kind.PROGRAM;
    }
}
