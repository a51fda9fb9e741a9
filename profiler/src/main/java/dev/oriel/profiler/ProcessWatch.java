package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Looks at the process from time to time while a profile runs, since threads and sockets may be gone at its end. It
/// notes the processor time and the delay of each thread, and the ports at which the process listens. Linux reports
/// them; elsewhere there is nothing to see. Looks are as far apart as takes a fiftieth of a processor at most.
///
/// Thread-safe: a daemon looks until [#stop].
final class ProcessWatch {
    /// Beginning of the names of the profiler's own threads.
    static final String THREADS = "oriel-profile-";

    private static final long EVERY_NANOS_MIN = 50_000_000;

    private static final long EVERY_PER_LOOK = 50;
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path SOCKETS = Path.of("/proc/self/fd");
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

    /// The state of a socket that listens, in the kernel's table.
    private static final String LISTENING = "0A";

    private static final System.Logger LOG = System.getLogger(ProcessWatch.class.getName());

    /// The tasks at the start, and the latest figures of every task. Guarded by this, as are the ports.
    private final Map<String, JvmThreads.Task> before;

    private final Map<String, JvmThreads.Task> latest = new HashMap<>();
    private final Set<Integer> ports = new TreeSet<>();
    private boolean portsKnown;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final @Nullable Thread thread;

    private ProcessWatch(boolean repeated) {
        before = JvmThreads.tasks(Map.of());
        look();
        boolean sees = repeated && Files.isDirectory(TASKS);
        thread = sees ? new Thread(this::watch, THREADS + "watch") : null;
        if (thread != null) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /// Starts; `repeated` is whether to look again before the end.
    static ProcessWatch start(boolean repeated) {
        return new ProcessWatch(repeated);
    }

    private void watch() {
        try {
            long every = EVERY_NANOS_MIN;
            while (!stopped.await(every, TimeUnit.NANOSECONDS)) {
                long begun = JvmThreads.ownCpuNanos();
                look();
                long took = JvmThreads.ownCpuNanos() - begun;
                every = Math.max(EVERY_NANOS_MIN, EVERY_PER_LOOK * took);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void look() {
        latest.putAll(JvmThreads.tasks(latest));
        try {
            portsKnown |= addPorts();
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "The ports of this process cannot be looked at", e);
        }
    }

    /// Ends, after a last look.
    void stop() {
        stopped.countDown();
        look();
    }

    /// Processor time of the JVM's own threads since the start.
    synchronized JvmThreads jvm() {
        return JvmThreads.between(before, latest);
    }

    /// The ports at which the process listened, with blanks between; null if the system does not report them.
    synchronized @Nullable String listens() {
        return portsKnown ? String.join(" ", ports.stream().map(String::valueOf).toList()) : null;
    }

    /// Adds the ports of listening sockets that this process has open; false if there is no table of them.
    private boolean addPorts() throws IOException {
        Map<String, Integer> listening = new HashMap<>();
        boolean known = false;
        for (Path table : TABLES) {
            if (Files.exists(table)) {
                known = true;
                for (String line : Files.readAllLines(table)) {
                    addListening(line, listening);
                }
            }
        }
        listening.values().removeAll(ports);
        if (!listening.isEmpty()) {
            listening.keySet().retainAll(ownSockets());
            ports.addAll(listening.values());
        }
        return known;
    }

    /// A line is `sl local remote state ... inode ...`, and an address is `host:port` in hexadecimal digits.
    static void addListening(String line, Map<String, Integer> portsByInode) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length > 9 && words[3].equals(LISTENING)) {
            String port = words[1].substring(words[1].indexOf(':') + 1);
            portsByInode.put(words[9], Integer.parseInt(port, 16));
        }
    }

    /// Inodes of the sockets that this process has open.
    private static Set<String> ownSockets() throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(SOCKETS)) {
            for (Path each : all) {
                String target = target(each);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.TRACE, "A file was closed meanwhile", e);
            return "";
        }
    }
}
