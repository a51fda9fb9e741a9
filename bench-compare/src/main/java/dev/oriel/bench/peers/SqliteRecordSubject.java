package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// SQLite as a store of records.
///
/// Observed system calls of a commit: two `pwrite64` per changed page into the log file, followed by an `fsync` in
/// class SYNC. In class WRITTEN a checkpoint syncs, as in Oriel.
final class SqliteRecordSubject implements RecordSubject {
    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public String product() {
        return "sqlite";
    }

    @Override
    public String settings() {
        return "SQLite by sqlite-jdbc "
                + Peers.version("sqlite-jdbc")
                + ": table (id INTEGER PRIMARY KEY, value BLOB), so the id is the rowid; prepared"
                + " statements, WAL, cache of a quarter of the heap's limit, mmap_size 2 GB;"
                + " synchronous FULL in class sync, NORMAL in class written; one writing connection"
                + " for all threads.";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        String synchronous = durability == Durability.SYNC ? "FULL" : "NORMAL";
        return new SqliteRecordStore(folder, "WAL", synchronous);
    }

    /// Without a journal and without syncs.
    @Override
    public RecordStore openWithoutTransactions(Path folder, long recordsMax) {
        return new SqliteRecordStore(folder, "OFF", "OFF");
    }
}
