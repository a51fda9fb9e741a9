package dev.oriel.bench;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Store;
import dev.oriel.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// Our store: one tree, from ids of 8 bytes to values.
///
/// Seen in the system calls of a commit, both by the committing thread: one `pwrite64` of 4 KB or
/// more into the log, in class SYNC an `fdatasync` behind it; several that wait are synced as one.
/// Class ASYNC writes as class WRITTEN does.
final class OrielRecordSubject implements RecordSubject {
    /// Longer than 64 committers wait for one another on a slow disk.
    private static final long WRITE_TIMEOUT_MILLIS = 60_000;

    @Override
    public String name() {
        return "oriel";
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        return "Oriel, this working tree: one tree, defaults of StoreOptions except for the class of"
                + " durability. A commit in class async does the same as in class written.";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax)
            throws IOException {
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(ours(durability))
                        .withWriteTimeoutMillis(WRITE_TIMEOUT_MILLIS);
        return new OrielRecordStore(Store.open(DiskDirectory.open(folder), options));
    }

    private static dev.oriel.store.Durability ours(Durability durability) {
        return switch (durability) {
            case SYNC -> dev.oriel.store.Durability.SYNC;
            case WRITTEN -> dev.oriel.store.Durability.WRITTEN;
            case ASYNC, MEMORY -> dev.oriel.store.Durability.ASYNC;
        };
    }
}
