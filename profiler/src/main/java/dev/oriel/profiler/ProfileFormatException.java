package dev.oriel.profiler;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A file cannot be read by a [ProfileReader]. The message names the file, the error and its place.
public final class ProfileFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    ProfileFormatException(String message) {
        super(message);
    }

    ProfileFormatException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
