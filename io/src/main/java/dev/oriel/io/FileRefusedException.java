package dev.oriel.io;

import java.io.IOException;

/// A file that a statement may not read or write: one of a database's own, or one outside of the folders
/// that [FileAccess] names.
public final class FileRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    FileRefusedException(String message) {
        super(message);
    }
}
