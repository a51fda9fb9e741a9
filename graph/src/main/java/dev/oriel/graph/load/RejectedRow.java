package dev.oriel.graph.load;

/// A row of a file that cannot be loaded. The message gives the reason, for users.
public final class RejectedRow extends Exception {
    private static final long serialVersionUID = 1L;

    RejectedRow(String reason) {
        super(
                reason, null, false,
                false); // there may be many, and a stack trace would tell nothing
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
