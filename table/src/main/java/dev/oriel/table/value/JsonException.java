package dev.oriel.table.value;

import java.io.Serial;

/// A text that is not JSON, or a value that JSON cannot hold. The layer above turns it into an error of its own.
public final class JsonException extends IllegalArgumentException {
    @Serial private static final long serialVersionUID = 1L;

    private final int position;

    JsonException(String message, int position) {
        super(message);
        this.position = position;
    }

    /// Index of the offending character in the text, from 0; -1 if there is no text.
    public int position() {
        return position;
    }
}
