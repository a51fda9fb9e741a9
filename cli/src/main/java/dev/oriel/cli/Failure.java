package dev.oriel.cli;

import org.jspecify.annotations.Nullable;

/// A command that cannot go on. The message is all that the user needs: it says what is wrong and,
/// where there is something, what to do.
final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
        super(message);
    }

    Failure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
