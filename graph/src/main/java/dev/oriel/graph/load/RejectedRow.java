package dev.oriel.graph.load;

/// A row of a file that cannot be loaded. The message says why, for a user.
public final class RejectedRow extends Exception {
    private static final long serialVersionUID = 1L;

    RejectedRow(String reason) {
        super(
                reason, null, false,
                false); // there may be many, and where they come from is no secret
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
