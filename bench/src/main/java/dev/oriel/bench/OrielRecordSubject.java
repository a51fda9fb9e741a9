package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// Our store: one tree, from ids of 8 bytes to values.
///
/// Seen in the system calls of a commit, both by the committing thread: one `pwrite64` of 4 KB or
/// more into the log, in class SYNC an `fdatasync` behind it; several that wait are synced as one.
/// Class ASYNC writes as class WRITTEN does.
///
/// Names no class of the engine, so that it can be listed where the engine is absent.
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
        return OrielRecordStore.open(folder, durability, WRITE_TIMEOUT_MILLIS);
    }
}
