package dev.oriel.bench;

/// A command that cannot go on; the message is all that the user needs.
final class Stop extends Exception {
    private static final long serialVersionUID = 1L;

    Stop(String message) {
        super(message);
    }
}
