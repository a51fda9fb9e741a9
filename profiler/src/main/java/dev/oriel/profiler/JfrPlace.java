package dev.oriel.profiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The folder of the Flight Recorder's files: the one for temporary files, or one that the starter of the JVM removes.
/// With the latter nothing is left even if the JVM is killed.
final class JfrPlace {
    private static volatile @Nullable Path folder;

    private JfrPlace() {}

    /// Sets the folder for all later recordings of this JVM.
    static void set(Path owned) {
        folder = owned;
    }

    /// A new empty file for a recording.
    static Path file() throws IOException {
        Path owned = folder;
        String prefix = "oriel-profile";
        return owned == null
                ? Files.createTempFile(prefix, ".jfr")
                : Files.createTempFile(owned, prefix, ".jfr");
    }

    /// Options of the command `JFR.configure`.
    static List<String> options() {
        Path owned = folder;
        return owned == null ? List.of() : List.of("repositorypath=\"" + owned + "\"");
    }
}
