package dev.oriel.cli;

import org.jspecify.annotations.Nullable;

/// A command that cannot continue. The message tells the user the problem and, if possible, the remedy.
final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
        super(message);
    }

    Failure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
