package dev.oriel.bench.run;

/// A command that cannot go on; the message is all that the user needs.
public final class UserError extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param message what is wrong and what the user can do
    public UserError(String message) {
        super(message);
    }
}
