package dev.oriel.io;

import java.io.IOException;

/// The folder is locked by another process, or by another `Database` of this one.
public final class LockedException extends IOException {
    private static final long serialVersionUID = 1L;

    public LockedException(String holder) {
        super(holder);
    }
}
