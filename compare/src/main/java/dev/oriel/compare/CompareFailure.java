package dev.oriel.compare;

import org.jspecify.annotations.Nullable;

/// A comparison that cannot be made. The message gives the reason and the remedy.
public final class CompareFailure extends Exception {
    private static final long serialVersionUID = 1L;

    CompareFailure(String message) {
        this(message, null);
    }

    CompareFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
