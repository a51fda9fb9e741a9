package dev.oriel.cli.migration;

/// An import that cannot go on. The message says why, and what the user may do.
public final class MigrationException extends Exception {
    private static final long serialVersionUID = 1L;

    MigrationException(String message) {
        super(message);
    }

    MigrationException(String message, Throwable cause) {
        super(message, cause);
    }
}
