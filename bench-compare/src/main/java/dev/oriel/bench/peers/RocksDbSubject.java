package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// RocksDB, with or without recycled log files.
final class RocksDbSubject implements RecordSubject {
    private final boolean recycled;

    RocksDbSubject(boolean recycled) {
        this.recycled = recycled;
    }

    @Override
    public String name() {
        return recycled ? "rocksdb-recycled" : "rocksdb";
    }

    @Override
    public String product() {
        return "rocksdb";
    }

    @Override
    public String settings() {
        String logs =
                recycled
                        ? " Four recycled log files; in class sync they have been filled and recycled"
                                + " before the clock starts."
                        : "";
        return "RocksDB "
                + Peers.version("rocksdbjni")
                + ": set up after its wiki's basic tuning: block cache of a quarter of the heap's"
                + " limit with index and filter blocks in it, those of level 0 pinned, Bloom filter"
                + " of 10 bits, blocks of 4 KB (its default), LZ4, dynamic level sizes, bytes_per_sync of 1 MB;"
                + " one write batch a transaction, direct buffers. In class async the log is"
                + " flushed by its own buffer (manual_wal_flush)."
                + logs;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        return new RocksDbStore(folder, new RocksDbOptions(durability, true, recycled));
    }

    /// A batch is still atomic in memory; without its log a crash loses unflushed data. It refuses to write without
    /// a log if logs are recycled.
    @Override
    public @Nullable RecordStore openWithoutTransactions(Path folder, long recordsMax) {
        return recycled
                ? null
                : new RocksDbStore(folder, new RocksDbOptions(Durability.ASYNC, false, false));
    }
}
