package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.jdbm.RecordSubject;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.lmdbjava.EnvFlags;

/// LMDB by lmdbjava.
///
/// Observed system calls of a commit: `pwrite64` and `writev` of the changed pages, then one `pwrite64` of 120
/// bytes of its meta page. In class SYNC an `fdatasync` comes between them, and the meta page goes through a
/// descriptor opened with `O_DSYNC`. MDB_NOSYNC omits both. MDB_NOMETASYNC would still sync the pages, and so is of
/// neither class.
final class LmdbSubject implements RecordSubject {
    @Override
    public String name() {
        return "lmdb";
    }

    @Override
    public String product() {
        return "lmdb";
    }

    @Override
    public String settings() {
        return "LMDB by lmdbjava "
                + Peers.version("lmdbjava")
                + ": MDB_INTEGERKEY, ByteBuffers by PROXY_OPTIMAL, a map of 64 GB. Class sync is its"
                + " default; class written is MDB_NOSYNC: pages are written at commit and not"
                + " synced, and a power cut may damage the file, which other subjects of the class"
                + " exclude.";
    }

    @Override
    public List<String> jvmArgs() {
        return Peers.OPENS;
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.WRITTEN, Durability.SYNC);
    }

    @Override
    public RecordStore open(Path folder, Durability durability, long recordsMax) {
        return durability == Durability.SYNC
                ? new LmdbStore(folder)
                : new LmdbStore(folder, EnvFlags.MDB_NOSYNC);
    }

    /// The fastest mode: writes through the map, without syncs.
    @Override
    public RecordStore openWithoutTransactions(Path folder, long recordsMax) {
        return new LmdbStore(folder, EnvFlags.MDB_WRITEMAP, EnvFlags.MDB_NOSYNC);
    }
}
