package dev.oriel.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The folders of a run, and their files.
public final class RunFiles {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String PEAK = "VmHWM:";

    private RunFiles() {}

    /// The length of all files below `folder`.
    public static long bytes(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).mapToLong(RunFiles::size).sum();
        }
    }

    /// Syncs all files below `folder`, so that each subject has written everything when the clock stops. Costs little
    /// if that was done.
    public static void sync(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(folder)) {
            files = paths.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
    }

    /// Deletes `folder` and all that is in it.
    public static void delete(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(folder)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }

    /// The greatest memory of this process so far, pages of mapped files included; 0 if the system does not tell.
    public static long peakMemoryBytes() throws IOException {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(PEAK)) {
                String kilobytes = line.substring(PEAK.length()).replace("kB", "").trim();
                return Long.parseLong(kilobytes) << 10;
            }
        }
        return 0;
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
