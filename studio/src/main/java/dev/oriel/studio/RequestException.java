package dev.oriel.studio;

/// A request that cannot be answered as it is.
final class RequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final int position;

    /// @param status HTTP status, 400 to 499
    RequestException(int status, String message) {
        this(status, message, -1);
    }

    /// @param position index in the text that was sent; -1 if the error has no place in it
    RequestException(int status, String message, int position) {
        super(message);
        this.status = status;
        this.position = position;
    }

    int status() {
        return status;
    }

    int position() {
        return position;
    }
}
