package dev.oriel.sql.file;

import java.io.IOException;
import java.io.Serial;

/// The file does not have the declared format. The caller adds file name and line.
final class FileFormatException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    FileFormatException(String message) {
        super(message);
    }
}
