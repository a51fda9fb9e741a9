package dev.oriel.sql.file;

import java.io.IOException;
import java.io.Serial;

/// A file is not what it was said to be. Whoever reads it adds its name and the line.
final class FileFormatException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    FileFormatException(String message) {
        super(message);
    }
}
