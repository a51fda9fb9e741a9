package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/// DuckDB's Appender: for bulk loading only, since it is not made for single records.
final class DuckDbBulkSubject implements RecordSubject {
    @Override
    public String name() {
        return "duckdb-appender";
    }

    @Override
    public String product() {
        return "duckdb";
    }

    @Override
    public String settings() {
        return "DuckDB "
                + Peers.version("duckdb_jdbc")
                + ": Appender into a table (id BIGINT PRIMARY KEY, value BLOB), in one transaction,"
                + " defaults.";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public boolean bulkOnly() {
        return true;
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        return new DuckDbBulkStore(folder);
    }
}
