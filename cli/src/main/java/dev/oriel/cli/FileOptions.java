package dev.oriel.cli;

import dev.oriel.io.FileAccess;
import dev.oriel.io.FileMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the options `--file-access` and `--file-mode`.
final class FileOptions {
    private FileOptions() {}

    /// @param usual the value if none is `given`
    static FileAccess access(@Nullable String given, String usual) throws Failure {
        try {
            return FileAccess.parse(given == null ? usual : given);
        } catch (IllegalArgumentException unfit) {
            throw new Failure(String.valueOf(unfit.getMessage()), unfit);
        }
    }

    static FileMode mode(@Nullable String given) throws Failure {
        if (given == null) {
            return FileMode.OWNER;
        }
        return switch (given.strip().toLowerCase(Locale.ROOT)) {
            case "owner" -> FileMode.OWNER;
            case "group" -> FileMode.GROUP;
            default -> throw new Failure("--file-mode is owner or group, and not " + given);
        };
    }
}
