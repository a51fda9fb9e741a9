package dev.oriel.studio;

/// A request that cannot be answered as it is.
final class RequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status of HTTP, 400 to 499
    RequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
