package dev.oriel.bench.run;

/// A command that cannot continue; the message is all that the user needs.
public final class UserError extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param message the error and the user's remedy
    public UserError(String message) {
        super(message);
    }
}
