package dev.oriel.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A folder of one run, deleted with all that is in it. Its name has the id of its process; so the folder of a killed
/// process can be deleted.
public record Temporary(Path path) implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("run-(\\d+)-.*");

    /// Makes one below `parent`.
    static Temporary below(Path parent) throws IOException {
        Files.createDirectories(parent);
        String prefix = "run-" + ProcessHandle.current().pid() + "-";
        return new Temporary(Files.createTempDirectory(parent, prefix).toAbsolutePath());
    }

    /// Deletes the folders below `parent` whose process is no more.
    public static void sweep(Path parent) throws IOException {
        List<Path> left;
        try (Stream<Path> folders = Files.list(parent)) {
            left = folders.filter(Temporary::isAbandoned).toList();
        }
        for (Path folder : left) {
            new Temporary(folder).close();
        }
    }

    private static boolean isAbandoned(Path folder) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        return name.matches()
                && ProcessHandle.of(Long.parseLong(name.group(1)))
                        .filter(ProcessHandle::isAlive)
                        .isEmpty();
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : all) {
            Files.deleteIfExists(one);
        }
    }
}
