package dev.oriel.cli;

import dev.oriel.io.FileAccess;
import org.jspecify.annotations.Nullable;

/// Reads the option `--file-access`.
final class FileAccesses {
    private FileAccesses() {}

    /// @param usual the value if none is `given`
    static FileAccess parse(@Nullable String given, String usual) throws Failure {
        try {
            return FileAccess.parse(given == null ? usual : given);
        } catch (IllegalArgumentException unfit) {
            throw new Failure(String.valueOf(unfit.getMessage()), unfit);
        }
    }
}
