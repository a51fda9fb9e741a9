package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Our store: one tree, from ids of 8 bytes to values (`oriel`), or its records (`oriel-records`).
///
/// Seen in the system calls of a commit, both by the committing thread: one `pwrite64` of 4 KB or
/// more into the log, in class SYNC an `fdatasync` behind it; several that wait are synced as one.
/// Class ASYNC writes some milliseconds later, by a thread of the store's, what was committed until then.
///
/// Names no class of the engine, so that it can be listed where the engine is absent.
final class OrielRecordSubject implements RecordSubject {
    /// Longer than 64 committers wait for one another on a slow disk.
    private static final long WRITE_TIMEOUT_MILLIS = 60_000;

    private final boolean tree;

    /// Records have ids of their own. An application keeps those; here they stand in an array, for
    /// the time between closing and opening again.
    private final Map<Path, OrielIds> idsByFolder = new HashMap<>();

    private OrielRecordSubject(boolean tree) {
        this.tree = tree;
    }

    static OrielRecordSubject ofTree() {
        return new OrielRecordSubject(true);
    }

    static OrielRecordSubject ofRecords() {
        return new OrielRecordSubject(false);
    }

    @Override
    public String name() {
        return tree ? "oriel" : "oriel-records";
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        String how =
                tree
                        ? "one tree"
                        : "its records; their ids are the store's own and are kept in an array"
                                + " outside, a scan fetches them one by one";
        return "Oriel, this working tree: "
                + how
                + ", defaults of StoreOptions except for the class of durability. A commit in class"
                + " async is written some milliseconds after it has returned.";
    }

    @Override
    public boolean takesAnyId() {
        return tree;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    /// Class ASYNC, whose changes share commits as they come. Records have a mode like it too, but the case
    /// is about one tree.
    @Override
    public @Nullable RecordStore openWithoutTransactions(Path folder, long recordsMax)
            throws IOException {
        return tree ? OrielPlainStore.open(folder) : null;
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax)
            throws IOException {
        return tree
                ? OrielRecordStore.open(folder, durability, WRITE_TIMEOUT_MILLIS)
                : OrielIdStore.open(folder, durability, WRITE_TIMEOUT_MILLIS, idsByFolder);
    }
}
