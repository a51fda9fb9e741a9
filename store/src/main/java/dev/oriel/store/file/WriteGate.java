package dev.oriel.store.file;

import dev.oriel.store.ClosedException;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.store.page.CorruptPages;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Admits reads and writes of a store. It admits both until the store is closed. After the first failed write or
/// sync it refuses writes, because the content of the disk is unknown then.
///
/// For any number of threads.
public final class WriteGate {
    private final boolean readOnly;
    private final Fence fence;
    private volatile boolean closed;

    /// The first failed write or sync: from then on the store only reads.
    private volatile @Nullable StorageException failure;

    /// Damage found at the opening, the reason to refuse writes; null if there is none.
    private volatile @Nullable CorruptPages corruptPages;

    public WriteGate(boolean readOnly, Fence fence) {
        this.readOnly = readOnly;
        this.fence = fence;
    }

    public void refuseWrites(CorruptPages reason) {
        corruptPages = reason;
    }

    public void checkOpen() {
        if (closed) {
            throw new ClosedException("The database has been closed", "");
        }
        fence.check();
    }

    public void checkWritable() {
        checkOpen();
        CorruptPages found = corruptPages;
        if (found != null) {
            throw found.refusal();
        }
        if (readOnly) {
            throw new UsageException("The database was opened for reading only", "");
        }
        checkUnfailed();
    }

    /// Throws if a write or sync has failed.
    public void checkUnfailed() {
        StorageException first = failure;
        if (first != null) {
            throw new StorageException(
                    "An earlier write failed; close the database and open it again", "", first);
        }
    }

    public boolean isWritable() {
        return !closed && !readOnly && corruptPages == null && isUnfailed();
    }

    public boolean isUnfailed() {
        return failure == null && fence.holds();
    }

    /// Poisons the store, and returns the exception to throw.
    public StorageException failed(String message, IOException cause) {
        StorageException exception = new StorageException(message, "", cause);
        poison(exception);
        return exception;
    }

    /// Poisons the store because the map of the data file could not be read, and returns the exception to throw.
    public StorageException damagedFromOutside(InternalError cause) {
        StorageException exception =
                new StorageException(
                        "The map of the data file cannot be read: another program has cut it short while it was open; close the database, and restore it from a backup",
                        "",
                        cause);
        poison(exception);
        return exception;
    }

    public synchronized void poison(StorageException reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /// Closes; false if it was closed already.
    public boolean close() {
        boolean was = closed;
        closed = true;
        return !was;
    }
}
