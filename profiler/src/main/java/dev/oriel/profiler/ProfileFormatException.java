package dev.oriel.profiler;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A file is not what a [ProfileReader] can read. The message says which file, what is wrong with it
/// and where.
public final class ProfileFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    ProfileFormatException(String message) {
        super(message);
    }

    ProfileFormatException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
