package dev.oriel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Adds up the bytes of the files in a folder.
final class FolderSize {
    private FolderSize() {}

    static long of(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
