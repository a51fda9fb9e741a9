package dev.oriel.cli;

import dev.oriel.profiler.ClassCode;
import dev.oriel.profiler.ProfileReader;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.ReportFormat;
import dev.oriel.profiler.SampleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Shared parts of the commands of `oriel profile`: reading files and parsing options.
final class ProfileFiles {
    private ProfileFiles() {}

    static ProfileResult read(Path file) throws IOException, Failure {
        if (Files.isDirectory(file)) {
            throw new Failure(file + " is a folder; name the profile in it");
        }
        if (!Files.isRegularFile(file)) {
            throw new Failure("there is no file " + file);
        }
        return ProfileReader.read(file);
    }

    static ReportFormat format(String word) throws Failure {
        ReportFormat format = ReportFormat.named(word);
        if (format == null) {
            throw new Failure(
                    "there is no format named "
                            + word
                            + "; there are "
                            + String.join(", ", ReportFormat.words()));
        }
        return format;
    }

    static @Nullable SampleKind kind(@Nullable String word) throws Failure {
        if (word == null) {
            return null;
        }
        String name = word.toUpperCase(Locale.ROOT).replace('-', '_');
        for (SampleKind kind : SampleKind.values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        throw new Failure(
                "there is no kind of samples named "
                        + word
                        + "; there are "
                        + Arrays.toString(SampleKind.values()).toLowerCase(Locale.ROOT));
    }

    /// Reads the class files of a class path, for advice; none without one.
    static ClassCode code(@Nullable String classPath) throws IOException, Failure {
        if (classPath == null) {
            return ClassCode.of(List.of());
        }
        List<Path> parts = ClassPath.parts(classPath);
        for (Path part : parts) {
            if (!Files.exists(part)) {
                throw new Failure("there is nothing at " + part + ", which --classes names");
            }
        }
        return ClassCode.of(parts);
    }
}
