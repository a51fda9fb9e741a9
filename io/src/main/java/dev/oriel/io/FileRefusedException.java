package dev.oriel.io;

import java.io.IOException;

/// A file that a statement may not read or write: a database's own file, or a file outside of the folders of
/// [FileAccess].
public final class FileRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    FileRefusedException(String message) {
        super(message);
    }
}
