package dev.oriel.bench.jdbm;

import dev.oriel.bench.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Our store: one tree, from ids of 8 bytes to values (`oriel`), the same with each commit in pages at once
/// (`oriel-direct`), or its records (`oriel-records`).
///
/// Observed system calls of a commit, by the committing thread: one `pwrite64` of 4 KB or more into the log, and
/// in class SYNC an `fdatasync` after it. Several waiting commits share one sync. In class ASYNC a thread of the
/// store writes the commits some milliseconds later.
///
/// Names no class of the engine, so that it can be listed if the engine is absent.
final class OrielRecordSubject implements RecordSubject {
    /// Write timeout, longer than 64 committers wait for one another on a slow disk.
    private static final long WRITE_TIMEOUT_MILLIS = 60_000;

    private enum Kind {
        TREE,
        DIRECT,
        RECORDS
    }

    private final Kind kind;

    /// Ids of the records, by folder. An application keeps them; here they are in an array for the time between
    /// closing and opening again.
    private final Map<Path, OrielIds> idsByFolder = new HashMap<>();

    private OrielRecordSubject(Kind kind) {
        this.kind = kind;
    }

    static OrielRecordSubject ofTree() {
        return new OrielRecordSubject(Kind.TREE);
    }

    static OrielRecordSubject ofDirect() {
        return new OrielRecordSubject(Kind.DIRECT);
    }

    static OrielRecordSubject ofRecords() {
        return new OrielRecordSubject(Kind.RECORDS);
    }

    @Override
    public String name() {
        return switch (kind) {
            case TREE -> "oriel";
            case DIRECT -> "oriel-direct";
            case RECORDS -> "oriel-records";
        };
    }

    @Override
    public String product() {
        return "oriel";
    }

    @Override
    public String settings() {
        String how =
                switch (kind) {
                    case TREE -> "one tree";
                    case DIRECT -> "one tree, each commit in pages at once (gatheredBytesMax=0)";
                    case RECORDS ->
                            "its records; their ids are the store's own and are kept in an array"
                                    + " outside, a scan fetches them one by one";
                };
        return "Oriel, this working tree: "
                + how
                + ", defaults of StoreOptions except for the class of durability. A commit in class"
                + " async is written some milliseconds after it has returned.";
    }

    @Override
    public boolean takesAnyId() {
        return kind != Kind.RECORDS;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    /// Class ASYNC, whose changes share commits as they come. Records have such a mode too, but the case is about
    /// one tree.
    @Override
    public @Nullable RecordStore openWithoutTransactions(Path folder, long recordsMax)
            throws IOException {
        return kind == Kind.TREE ? OrielPlainStore.open(folder) : null;
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax)
            throws IOException {
        return kind != Kind.RECORDS
                ? OrielRecordStore.open(folder, durability, WRITE_TIMEOUT_MILLIS, kind == Kind.TREE)
                : OrielIdStore.open(folder, durability, WRITE_TIMEOUT_MILLIS, idsByFolder);
    }
}
