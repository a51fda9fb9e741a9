package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.mapdb.DBMaker;

/// MapDB's BTreeMap.
///
/// Observed system calls of a commit: `msync` of its mapped log, so its only class is SYNC. The log's file grows by
/// `write` calls of 1 KB of zeros.
final class MapDbSubject implements RecordSubject {
    @Override
    public String name() {
        return "mapdb";
    }

    @Override
    public String product() {
        return "mapdb";
    }

    @Override
    public String settings() {
        return "MapDB "
                + Peers.version("mapdb")
                + ": fileDB with transactionEnable (its log) and fileMmapEnable, BTreeMap of LONG to"
                + " BYTE_ARRAY, values of 1,000 bytes or more outside of the nodes.";
    }

    @Override
    public List<String> jvmArgs() {
        return Peers.OPENS;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        return new MapDbStore(maker(folder).transactionEnable().make());
    }

    /// Without the log a commit does not survive a crash.
    @Override
    public RecordStore openWithoutTransactions(Path folder, long recordsMax) {
        return new MapDbStore(maker(folder).make());
    }

    private static DBMaker.Maker maker(Path folder) {
        return DBMaker.fileDB(folder.resolve("records.mapdb").toFile()).fileMmapEnable();
    }
}
