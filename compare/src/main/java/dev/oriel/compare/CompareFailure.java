package dev.oriel.compare;

import org.jspecify.annotations.Nullable;

/// A comparison that cannot be made. The message says what is wrong and what to do.
public final class CompareFailure extends Exception {
    private static final long serialVersionUID = 1L;

    CompareFailure(String message) {
        this(message, null);
    }

    CompareFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
