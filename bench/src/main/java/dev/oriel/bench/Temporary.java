package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A folder of one run, deleted with all that is in it.
record Temporary(Path path) implements AutoCloseable {
    /// Makes one below `parent`.
    static Temporary below(Path parent) throws IOException {
        Files.createDirectories(parent);
        return new Temporary(Files.createTempDirectory(parent, "run-").toAbsolutePath());
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
