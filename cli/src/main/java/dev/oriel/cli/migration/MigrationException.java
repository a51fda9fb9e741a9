package dev.oriel.cli.migration;

/// An import that cannot continue. The message gives the reason and the remedy.
public final class MigrationException extends Exception {
    private static final long serialVersionUID = 1L;

    MigrationException(String message) {
        super(message);
    }

    MigrationException(String message, Throwable cause) {
        super(message, cause);
    }
}
