package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A temporary folder for the databases of a benchmark: below `-Doriel.bench.folder`, or the
/// working directory, because a system's folder for temporary files may lie in memory.
final class Folder {
    private Path path = Path.of(".");

    Path make() throws IOException {
        Path parent = Path.of(System.getProperty("oriel.bench.folder", "."));
        path = Files.createTempDirectory(parent, "oriel-bench-");
        return path;
    }

    void delete() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : all) {
            Files.delete(one);
        }
    }
}
