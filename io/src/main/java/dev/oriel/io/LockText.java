package dev.oriel.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The holder of a folder, as the text of its lock file names it: one value per line.
///
/// The operating system's lock ends silently when any code of the holder's process opens and closes the lock file.
/// The text stays, so an opener that gets the lock reads the text first. A process that is alive and was started
/// at the recorded time still holds the folder. A process id alone would not do, because the system reuses ids.
///
/// @param pid number of the process
/// @param started start time of the process, as the system counts it; empty if the system does not tell
/// @param boot the machine's current boot, which a restart changes; empty if the system does not tell
/// @param namespace the namespace of `pid`, which a container has of its own; empty if the system does
///     not tell
/// @param folder identity of the folder; a copy of it has another
record LockText(long pid, String started, String boot, String namespace, String folder) {
    private static final Path PROC = Path.of("/proc");
    private static final int BYTES_MAX = 8_000;

    /// Text after the folder was released.
    static final String CLOSED = "closed";

    /// The calling process as the holder of `folder`.
    static LockText own(String folder) {
        long pid = ProcessHandle.current().pid();
        String started = started(pid);
        return new LockText(
                pid,
                started == null ? "" : started,
                read(PROC.resolve("sys/kernel/random/boot_id")),
                namespaceOfThisProcess(),
                folder);
    }

    /// Longest text that [#parse] reads.
    static int bytesMax() {
        return BYTES_MAX;
    }

    /// The parsed `text`; null if it names no process. Earlier releases wrote the process id alone.
    static @Nullable LockText parse(String text) {
        String[] lines = text.strip().split("\n", -1);
        try {
            long pid = Long.parseLong(lines[0].strip());
            return lines.length < 5
                    ? new LockText(pid, "", "", "", "")
                    : new LockText(pid, lines[1], lines[2], lines[3], lines[4]);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    byte[] bytes() {
        return (pid + "\n" + started + "\n" + boot + "\n" + namespace + "\n" + folder + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /// Whether the calling process `own` sees the named process alive: false if that is invisible to it, or `own`
    /// itself.
    boolean isSeenAlive(LockText own) {
        return !started.isEmpty()
                && pid != own.pid
                && folder.equals(own.folder)
                && boot.equals(own.boot)
                && namespace.equals(own.namespace)
                && started.equals(started(pid));
    }

    /// Whether the named holder, which is not seen alive, is known to be dead. False if it belongs to another
    /// namespace of process ids, whose processes the calling process `own` cannot see.
    boolean isDead(LockText own) {
        return !folder.equals(own.folder)
                || !boot.equals(own.boot)
                || namespace.equals(own.namespace);
    }

    /// Start time of the process `pid`; null if it is gone.
    private static @Nullable String started(long pid) {
        if (Files.isDirectory(PROC.resolve("self"))) {
            return startedByProc(pid);
        }
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        return process.isEmpty() || !process.get().isAlive()
                ? null
                : process.get().info().startInstant().map(Object::toString).orElse("");
    }

    /// Fields 3 and 22 of the file `stat`, after the name in parentheses, which may hold any character.
    private static @Nullable String startedByProc(long pid) {
        String stat = read(PROC.resolve(pid + "/stat"));
        int name = stat.lastIndexOf(')');
        if (name < 0) {
            return null;
        }
        String[] fields = stat.substring(name + 1).strip().split(" ", -1);
        boolean dead = fields.length < 20 || fields[0].equals("Z") || fields[0].equals("X");
        return dead ? null : fields[19];
    }

    private static String namespaceOfThisProcess() {
        try {
            return Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return ""; // no such files on this system
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return ""; // the process is gone, or the system has no such file
        }
    }
}
